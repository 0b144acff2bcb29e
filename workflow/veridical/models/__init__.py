"""What is asked of a model and in what form; the weights; the providers that ask."""
