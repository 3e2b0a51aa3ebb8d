"""Where the program is known not to do what the rules say, in the rules' words.

The comparison leaves these cases out, and nothing else. Whoever mends one takes its line away: from then on
it is compared like everything else.
"""

from __future__ import annotations

EXPECTED: dict[str, str] = {
    "STR-CORE-13": "Who wins an Opposed Roll has succeeded with the Skill: that ends Lost Confidence.",
    "STR-CORE-20 banked": "What a helper has banked is spent by the helping die.",
    "STR-CORE-20 opposed": "Opposed Rolls are helped like any Skill Roll, and take flat modifiers.",
    "STR-CORE-20 pool": "Pools are helped.",
    "STR-CORE-31": "A Fallback is offered on Wealth Rolls, too.",
    "STR-TC-07": "All Hits are decided before Recover and the trait Recovery bring anything back.",
    "STR-TC-07 Costly": "The Strike of the trait Costly is part of the outcome, so it comes before Recover.",
    "STR-TC-11": "One Complication explains a Concession, and one player has an Action Point for it.",
    "STR-TAC-17": "With Strikes for HP: who is Taken Out by one blow was Incapacitated by it, too.",
    "STR-CH-05": "A Hide is an Opposed Roll: options for the close loser, ties that Complications break.",
}

# Of `strike odds`, held against the rolls themselves.
EXPECTED_ODDS: dict[str, str] = {
    "known Skills": "Nobody learns a Skill that they have: so says the roll, but not its odds.",
    "several targets": "Only the first roll is out of hiding; each has but the Miss Tokens that are left.",
    "Hits of actions": "The Hits of a round are those of its outcome and of its actions.",
}
