"""Wealth (STR-CORE-26 to 30, helping of 20).

standing    how rich somebody is, and as how rich they count for now; their cash parcels
roll        the dice for something of a price, helpers among them: play and odds
buy         buying, and what it costs
pool        five of one Wealth buy as one of the next
parcels     cash gained, spent, invested; getting over Short and Broke
"""
