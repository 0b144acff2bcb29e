"""What every room stands on: files, tables, scripts, the config, numbers in text, what a key is."""
