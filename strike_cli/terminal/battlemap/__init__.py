"""The battle map in a terminal: the map itself (`board`), who is who (`who`, `legend`), and both together
(`layout`). Looks live here, rules do not."""
