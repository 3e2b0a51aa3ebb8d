"""What may be done, what would come of it, and players that need nobody."""
