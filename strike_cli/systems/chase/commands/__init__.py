"""The commands of `strike chase`: `chase` declares them, `odds` computes odds, `words` reads arguments."""
