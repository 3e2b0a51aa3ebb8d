"""The way in: `strike`, and `python -m strike_cli`."""

from strike_cli.cli.app import main

if __name__ == "__main__":
    main()
