"""The commands of `strike conflict`: `conflict` and `act` declare them, `show` has the display, `odds` the odds."""
