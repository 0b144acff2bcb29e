"""What all tests share: property tests have no deadline, since the machine may be busy."""

from hypothesis import settings

settings.register_profile("veridical", deadline=None)
settings.load_profile("veridical")
