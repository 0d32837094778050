"""One thin handler a file: from a request to the domain, and back to a result."""
