"""People and creatures from other programs and for them.

foreign    what other programs' files say, in one form: Foundry VTT, Improved Initiative, CSV
importing  drafts out of that
exporting  for Foundry VTT, Improved Initiative, Obsidian

"""
