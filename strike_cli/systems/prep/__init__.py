"""What a game master prepares and keeps in mind, whatever game is played.

table        a random table: its form, and drawing from it
text_files   random tables written as CSV or Markdown
clocks       segments that fill up
notes        what is worth remembering
scene_files  scenes as people write them: heads, passages, links
story        which scene is under way, and which were played
calendar     months, weekdays, moons: which day is which
days         days that pass: clocks, deadlines, recovery
handouts     pictures and texts laid before the players
people       somebody out of random tables
exhibits     what of all that lies on the table

"""
