"""Veridical: does a memory score measure memory?"""

__version__ = "0.1.0"
