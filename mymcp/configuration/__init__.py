"""What the operator decides about the host: from a location over a document to `HostSettings`."""
