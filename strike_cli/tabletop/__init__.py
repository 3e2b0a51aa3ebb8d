"""Parts of a tabletop game that any system may use: what a scene shows, turn order, squares and walls,
dice."""
