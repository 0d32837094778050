"""MyMCP: a local-first host for MCP tools, with the Mnemosyne memory in it."""
