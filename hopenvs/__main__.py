"""`python -m hopenvs`: the command line."""

from hopenvs.cli import main

if __name__ == "__main__":
    main()
