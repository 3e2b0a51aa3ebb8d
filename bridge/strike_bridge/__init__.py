"""The bridge: follows a campaign's journal and sends its results and scenes to virtual tabletops.

It depends on facts and the form of a scene, not on rules: it reads the campaign's files by itself and imports
no system. The way of a delivery, module by module:

    settings        the targets' settings           secrets       their keys
    journal_reader  reading of journal and state    projection    the state as scene, tokens, turn order
    messages        journal entries as results      markup        results as HTML
    cursor          the progress of deliveries      snapshot_log  a file with a log of its changes
    targets/        one file for each kind          reconcile     the steps that bring a target up to date
    wire            one request and its answer      session       a wire with a session
    outcome         the meaning of an answer        delivery      one step to one target
    worker          step after step, with retries   lock          one worker a target
    deliver         the command line's deliveries   plan          a push without sending
    drift           differences at a target         linking       the links between tokens
    pull            edits made at a target          pending_edits edits that wait, for screens
    contract        the checks of every kind        checkup       the doctor's checks
    login           getting a key                   drain         a background worker after a command
    pictures        pictures of maps and creatures
"""
