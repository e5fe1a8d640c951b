"""Files to upload."""

from __future__ import annotations

import json
import os
import uuid
from collections.abc import Mapping
from pathlib import Path
from typing import IO, Union

FileSource = Union[str, "os.PathLike[str]", bytes, bytearray, IO[bytes]]
"""A file to upload: its path, its bytes, or a file object that was opened to read bytes."""


def read_upload(file: FileSource, name: str | None) -> tuple[str, bytes]:
    """Name and content of a file. Raises TypeError for something else, OSError when it cannot be read."""
    if isinstance(file, (str, os.PathLike)):
        path = Path(file)
        return name or path.name, path.read_bytes()
    if isinstance(file, (bytes, bytearray)):
        if not name:
            raise TypeError("name must be given with bytes, such as name='label.pdf': its ending says what the file is")
        return name, bytes(file)
    read = getattr(file, "read", None)
    content = read() if callable(read) else None
    if not isinstance(content, bytes):
        raise TypeError(
            f"file must be a path, bytes, or a file opened with open(path, 'rb'); {type(file).__name__} is not"
        )
    own = getattr(file, "name", None)
    if not name and not isinstance(own, str):
        raise TypeError("name must be given with a file object that has none, such as name='label.pdf'")
    return name or Path(str(own)).name, content


def _in_form(value: object) -> str:
    """A value as the platform reads it in a form: mappings as JSON."""
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False, allow_nan=False)


def encode_upload(name: str, content: bytes, form: Mapping[str, object]) -> tuple[str, bytes]:
    """Media type and bytes of a form with the field `file`. Further fields come before it; None is left out."""
    # A file name in a header of a form (HTML standard): what would end the header is escaped.
    safe = name.replace('"', "%22").replace("\r", "%0D").replace("\n", "%0A")
    boundary = f"parcelway-{uuid.uuid4().hex}"
    fields = "".join(
        f'--{boundary}\r\nContent-Disposition: form-data; name="{field}"\r\n\r\n{_in_form(value)}\r\n'
        for field, value in form.items()
        if value is not None
    )
    head = (
        f'{fields}--{boundary}\r\nContent-Disposition: form-data; name="file"; filename="{safe}"\r\n'
        "Content-Type: application/octet-stream\r\n\r\n"
    )
    return f"multipart/form-data; boundary={boundary}", head.encode() + content + f"\r\n--{boundary}--\r\n".encode()
