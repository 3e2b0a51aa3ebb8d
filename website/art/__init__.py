"""The art of the example campaign: portraits, creatures, and maps with texture, drawn here and by nobody else."""
