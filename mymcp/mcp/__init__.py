"""The protocol: messages in, answers out. No framework, no sockets, no memory."""
