"""The report: sentences worded from the tables, figures, tables and the rows behind them."""
