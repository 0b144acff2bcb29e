"""The fault zoo: which faults of a memory does an instrument notice, and does it cry wolf?"""
