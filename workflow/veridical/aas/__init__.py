"""The Artificial Age Score: sessions, grades and the score."""
