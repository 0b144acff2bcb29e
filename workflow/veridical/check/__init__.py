"""Everything that can be known to be wrong before anything is paid."""
