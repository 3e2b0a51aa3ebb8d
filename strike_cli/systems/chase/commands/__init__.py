"""The commands of `strike chase`: `chase` plays and shows, `odds` computes odds."""
