"""The commands `strike wealth`, `strike roll wealth` and `strike odds wealth`, and Wealth on a sheet."""
