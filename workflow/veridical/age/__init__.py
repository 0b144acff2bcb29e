"""The Artificial Age Score: sessions, answers in two languages, redundancy, scores."""
