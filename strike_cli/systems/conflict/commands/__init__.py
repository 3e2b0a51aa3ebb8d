"""The commands of `strike conflict`: `conflict` and `act` declare them, `odds` and `show` print."""
