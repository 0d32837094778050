"""Pure schema code that the generator and the installed product share. No files, no sockets."""
