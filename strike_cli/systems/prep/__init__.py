"""What a game master prepares and keeps in mind, whatever game is played: random tables, clocks, notes.

table       a random table: its form, and drawing from it
text_files  random tables written as CSV or Markdown
clocks      segments that fill up
notes       what is worth remembering

"""
