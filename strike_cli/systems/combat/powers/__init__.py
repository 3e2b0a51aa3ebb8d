"""Powers: what one is, whom it may be aimed at, the attack roll, and what its steps come to."""
