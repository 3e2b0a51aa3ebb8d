"""Who is in a fight and what it is about: beginning, joining, leaving, ending, waiting."""
