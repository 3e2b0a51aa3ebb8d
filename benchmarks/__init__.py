"""Speed, as ratios against reference programs measured turn by turn in the same run. No test reads these."""
