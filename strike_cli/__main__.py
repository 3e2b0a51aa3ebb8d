"""The way in: `strike`, and `python -m strike_cli`."""

from .cli.app import main

if __name__ == "__main__":
    main()
