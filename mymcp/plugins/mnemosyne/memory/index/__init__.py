"""Which of many records have a word, and which of them score best, as operations on whole sets."""
