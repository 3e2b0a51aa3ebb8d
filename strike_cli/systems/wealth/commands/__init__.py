"""The commands of `strike wealth` and `strike roll wealth`, and Wealth on a sheet."""
