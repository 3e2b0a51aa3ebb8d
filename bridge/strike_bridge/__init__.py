"""The bridge: follows a campaign's journal and tells virtual tabletops what happened.

It knows facts, not rules: it reads the campaign's files by itself and imports nothing of strike but its
errors. The way of a delivery, module by module:

    settings   where the targets are            secrets   their keys
    record     reading journal and state        project   the state as scene, tokens and turn order
    results    journal entries as results       cursor    how far a target has been told
    targets/   one file for each kind           wire      one request, one answer
    outcome    what an answer means             deliver   the worker that puts all of it together
    lock       one worker a target              drain     leaving a worker behind after a command
"""
