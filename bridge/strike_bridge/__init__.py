"""The bridge: follows a campaign's journal and sends its results and scenes to virtual tabletops.

The bridge knows facts and the common form of a scene, but no rules. It reads the campaign's files itself and
imports no game system. Its main modules:

    settings             the targets' settings      consent              agreements to send
    credential_store     the targets' keys          address              addresses and their secrets
    journal_reader       the journal and the state  state_projection     scene, tokens, turn order
    journal_results      journal entries, shown     result_markup        results as HTML
    animations           effects that screens draw  payloads             types of everything sent
    delivery_record      what was delivered         table_file_with_change_log
    targets/             one module for each kind   reconciliation_plan  steps that update a target
    http_conversation    requests and answers       http_transport       one HTTP exchange
    request_outcome      the meaning of an answer   authenticated_wire   requests within a session
    step_delivery        one step to one target     worker               all steps, with retries
    worker_lock          one worker a target        worker_launcher      a worker after a command
    push_follow_and_sync their commands             dry_run              a push without sending
    target_differences   differences at a target    token_links          links between tokens
    tabletop_edits       edits made at a target     pending_edits        edits that wait
    target_outages       targets that are down      doctor               the doctor's checks
    login                getting a key              first_contact        first contact
    picture_files        files of pictures          map_picture          the map drawn as a picture
    target_contract      checks of every kind       rest/                targets described in TOML
"""
