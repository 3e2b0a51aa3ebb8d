"""The bridge: follows a campaign's journal and tells virtual tabletops what happened.

It knows facts and the form of a scene, not rules: it reads the campaign's files by itself and imports no
system. The way of a delivery, module by module:

    settings        where the targets are           secrets       their keys
    journal_reader  reading journal and state       projection    the state as scene, tokens, turn order
    messages        journal entries as results      markup        results as HTML
    cursor          how far a target has been told  snapshot_log  a file, and lines of what changed since
    targets/        one file for each kind          reconcile     what has to be done to bring it up to date
    wire            requests, answers, sending one  session       a wire that asks for a session
    outcome         what an answer means            delivery      one step to one target
    worker          step after step, trying again   lock          one worker a target
    deliver         what the command line asks for  plan          what a push would send
    drift           where a target differs          linking       whose token is whose
    pull            what was changed there          waits         what of it waits, for screens
    contract        what every kind must hold
    login           getting a key                   checkup       what is the matter
    pictures        of maps and creatures           drain         leaving a worker behind after a command
"""
