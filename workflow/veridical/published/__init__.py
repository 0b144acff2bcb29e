"""What the sources print, recomputed with the study's own functions."""
