"""One module a form: each reads a file and says what life it tells."""
