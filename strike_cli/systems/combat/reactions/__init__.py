"""What answers facts: the engine around every command, moments, powers that answer, reactions of statuses."""
