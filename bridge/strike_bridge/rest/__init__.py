"""The parts of targets that TOML alone describes: request templates, paths into answers, authentication.

`targets/rest.py` is the target itself. Jinja2 and JMESPath are imported only here, and only for a target of
`kind = "rest"`.
"""
