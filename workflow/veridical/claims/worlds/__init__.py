"""Worlds of known truth: seeded generators of the tables that a study's analysis starts from."""
