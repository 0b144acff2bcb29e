"""Sealing stages by content hash, the log of deviations, and verifying both."""
