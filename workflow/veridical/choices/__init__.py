"""Forced-choice questions: how they are put behind a document, and how answers are read."""
