"""Visibility: the one place that decides what an audience may see of a state.

Secret from players are hidden creatures, zones that only the game master sees, and everything in the fog; a
side's picks until they are revealed; secret commands and decisions; the game master's overrides; and, if the
campaign says so, the numbers of everybody but the party.

- `audience`, `secret_picks`, `known_state`, `known_scene`: the state as an audience knows it. Begin with
  `audience`.
- `redaction`, `sentences_for_players`, `known_decisions`, `entry_headlines`, `hidden_name_search`,
  `text_only_facts`: facts and words.
- `known_journal`: the journal as one stream for logs, stories and phones.

Screens, logs, reports and the bridge all use it. Example: `strike log --player`.
"""
