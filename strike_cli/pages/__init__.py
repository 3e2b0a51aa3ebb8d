"""Makes files that open anywhere: HTML pages, SVG pictures and PDF, with everything in one file.

- `html`: the frame of a page, its cards and tables.
- `plots`: histograms, bars and columns as SVG.
- `one_page_pdf`: one sheet of commands to print.

Example: `strike session report --out session.html` uses the first two.
"""
