"""The commands of `strike chase`: `chase` declares them, `odds` computes odds, `arguments` reads words."""
