"""Direct pairs: the own memory's answer and a counterfeit's, on one sheet."""
