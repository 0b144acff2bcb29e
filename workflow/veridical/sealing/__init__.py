"""Freezes, deviations, verification, the archive and its deposit."""
