"""The commands of `strike conflict`: `conflict` and `act` play, `show` displays, `odds` computes."""
