"""Pages that open anywhere: HTML, pictures and PDF with everything in them.

- `html`: the shell of a page, its cards and tables.
- `plots`: histograms, bars and columns as SVG.
- `pdf`: one sheet of commands to print.

Example: `strike session report --out session.html` uses the first two.
"""
