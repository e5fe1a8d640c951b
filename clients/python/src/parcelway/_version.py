# Made by `npm run docs`; do not edit.
"""The version of the package, which is that of the platform."""

__version__ = "0.1.0"
