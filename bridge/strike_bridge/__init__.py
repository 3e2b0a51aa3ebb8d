"""The bridge: follows a campaign's journal and sends its results and scenes to virtual tabletops.

It depends on facts and the common form of a scene, not on rules: it reads the campaign's files by itself and
imports no system. Its modules, in the order in which a delivery uses them:

    settings            the targets' settings           secrets        their keys
    journal_reader      reading of journal and state    projection     the state as scene, tokens, turn order
    journal_results     journal entries as results      result_markup  results as HTML
    cursor              the progress of deliveries      snapshot_log   a file with a log of its changes
    targets/            one file for each kind          reconcile      steps that bring a target up to date
    http_request        one request and its answer      outcome        the meaning of an answer
    authenticated_wire  requests within a session       step_delivery  one step to one target
    worker              step after step, with retries   worker_lock    one worker a target
    operations          the command line's deliveries   dry_run        a push without sending
    drift               differences at a target         token_links    the links between tokens
    pull                edits made at a target          pending_edits  edits that wait, for screens
    target_contract     the checks of every kind        doctor         the doctor's checks
    background_worker   a worker after a command        login          getting a key
    pictures            pictures of maps and creatures
"""
