"""Pictures of the real program (`make pictures`), and the documentation site (`make docs`).

Begin with `site.py`, which puts the pages together; `reference_pages.py` and `api_reference.py` make pages
from the program, `prose_style_check.py` measures the text, `terminal_pictures.py` and `art` make pictures.
"""
