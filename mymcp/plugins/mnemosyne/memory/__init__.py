"""The memory domain: records, files, search, listing and policy. It knows no tool and no HTTP."""
