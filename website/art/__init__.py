"""The art of the example campaigns, drawn by this code: portraits, creatures, and maps with texture."""
