"""The commands of what is prepared."""
