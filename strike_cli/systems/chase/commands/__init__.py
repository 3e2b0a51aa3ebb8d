"""The commands of `strike chase`: `chase` declares them, `odds` and `show` print, `words` reads arguments."""
