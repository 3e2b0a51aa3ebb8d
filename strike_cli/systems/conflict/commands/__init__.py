"""The commands of `strike conflict`: `conflict` and `act` declare them, `show` displays, `odds` computes."""
