"""What generated code stands on: models, text rules, readers, declared errors, bound tools."""
