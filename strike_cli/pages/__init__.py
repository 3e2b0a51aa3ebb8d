"""Pages that open anywhere: HTML and pictures with everything in them, of which nothing is fetched.

html   the shell of a page, its cards and tables
plots  histograms, bars and columns as SVG

"""
