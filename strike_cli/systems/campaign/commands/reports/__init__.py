"""What was played, told afterwards: of an evening, of the whole campaign, by turns.

past      the entries that are in effect
ledger    what is counted of everybody
tables    the ledger's tables and plots
evening   what the journal has of one session
campaign  what it has of all of them
story     an evening turn by turn
shown     reports on a terminal
markdown  reports as Markdown
page      reports as HTML
written   files of theirs

"""
