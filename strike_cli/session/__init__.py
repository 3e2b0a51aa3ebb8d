"""An open campaign as a program: commands read, played and told. Every door is a thin caller of it."""
