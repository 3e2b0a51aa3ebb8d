"""The game itself: procedures that yield Roll, Choose and Happen, and the tables they read.

Nothing here may print, prompt, draw a random number, read a clock or write a file; a driver in
`strike_cli.play` answers what a procedure asks. Standard library only.
"""
