"""Reads what a sandbox on this machine writes at its start."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import NamedTuple

DEFAULT_QUICKSTART = ".data/quickstart.json"


class Quickstart(NamedTuple):
    """Where a sandbox is, and a key of it."""

    base_url: str
    api_key: str
    ca_file: str | None


def read_quickstart(path: str | os.PathLike[str]) -> Quickstart:
    """Reads a quickstart.json. Raises FileNotFoundError and ValueError that name the file."""
    file = Path(path)
    try:
        text = file.read_text(encoding="utf-8")
    except FileNotFoundError as error:
        todo = "start the sandbox, or pass the path of quickstart.json in its data directory"
        raise FileNotFoundError(error.errno, f"There is no quickstart.json ({todo})", str(file.absolute())) from error
    try:
        content = json.loads(text)
        found = Quickstart(content["base_url"], content["tenant"]["api_key"], content.get("ca_file"))
    except (ValueError, KeyError, TypeError) as error:
        raise ValueError(f"{file} is no quickstart.json of a sandbox: it lacks base_url or tenant.api_key") from error
    return found
