"""One module a format. A module is found by its name; it says `TITLE`, `fits` and `read`."""
