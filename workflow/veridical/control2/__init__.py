"""Control 2: can a system with no memory document pass the probe?"""
