"""Visibility: the one place that decides which parts of a state an audience may see.

Hidden from players are:

- hidden creatures, zones that only the game master sees, and everything in the fog;
- a side's picks until they are revealed;
- secret commands and decisions, and the game master's overrides;
- the numbers of everybody but the party, if the campaign says so.

The modules:

- `audiences`, `secret_picks`, `players_state`, `known_scene`: the state as an audience knows it. Begin with
  `audiences`.
- `redaction`, `players_speaker`, `known_decisions`, `entry_headlines`, `hidden_name_search`,
  `text_only_facts`: facts and words.
- `known_journal`: the journal as one stream for logs, stories and phones.

Screens, logs, reports and the bridge all use it. Example: `strike log --player`.
"""
