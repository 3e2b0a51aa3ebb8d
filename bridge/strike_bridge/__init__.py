"""The bridge: follows a campaign's journal and tells virtual tabletops what happened.

It knows facts, not rules: it reads the campaign's files by itself and imports nothing of strike but its
errors. The way of a delivery, module by module:

    settings   where the targets are            secrets   their keys
    record     reading journal and state        project   the state as scene, tokens and turn order
    results    journal entries as results       markup    results as HTML
    cursor     how far a target has been told   steps     what has to be done to bring it up to date
    targets/   one file for each kind           wire      requests, answers, and sending one
    outcome    what an answer means             line      a wire that asks for a session
    handover   one step to one target           worker    step after step, waiting and trying again
    kept       a file and lines of changes      lock      one worker a target
    deliver    what the command line asks for   look      the same where nothing is changed
    linking    whose token is whose             login     getting a key
    checkup    what is the matter               drain     leaving a worker behind after a command
    pictures   of maps and creatures, as files
"""
