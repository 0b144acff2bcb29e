"""Controls 2 and 3: recognition probes, symmetric probes, answers, validity and cells."""
