"""The examples of the documentation: all have correct types, and the receivers receive."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import httpx2
import pytest
from fastapi.testclient import TestClient

from .test_webhooks import BODY, HEADERS, SECRET, sign

ROOT = Path(__file__).parent.parent

CLIENT = 'from parcelway import Parcelway\n\nclient = Parcelway(api_key="k", base_url="https://localhost")\n'


def examples() -> list[str]:
    """The blocks of Python in the README."""
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    return re.findall(r"^```python\n(.*?)^```$", text, re.MULTILINE | re.DOTALL)


def example_with(text: str) -> str:
    """The first example that has a text."""
    return next(block for block in examples() if text in block)


def test_every_example_has_correct_types(tmp_path: Path) -> None:
    found = examples()
    assert len(found) >= 9
    for number, block in enumerate(found):
        # An example that makes no client goes on with the one of the example before.
        text = (
            block if "client = Parcelway" in block or "client." not in block or "as client" in block else CLIENT + block
        )
        (tmp_path / f"example_{number}.py").write_text(text, encoding="utf-8")
    arguments = ["--strict", "--no-incremental", "--cache-dir", str(tmp_path / "cache"), str(tmp_path)]
    # The package beside this test, also when another version is installed.
    run = subprocess.run(
        [sys.executable, "-m", "mypy", *arguments],
        capture_output=True,
        text=True,
        check=False,
        cwd=tmp_path,
        env={**os.environ, "MYPYPATH": str(ROOT / "src")},
    )
    assert (run.returncode, run.stderr) == (0, ""), run.stdout


def flask_client(app: Any) -> Callable[[bytes, dict[str, str]], int]:
    def send(body: bytes, headers: dict[str, str]) -> int:
        status: int = app.test_client().post("/webhooks", data=body, headers=headers).status_code
        return status

    return send


def fastapi_client(app: Any) -> Callable[[bytes, dict[str, str]], int]:
    def send(body: bytes, headers: dict[str, str]) -> int:
        status: int = TestClient(app).post("/webhooks", content=body, headers=headers).status_code
        return status

    return send


def signed(body: bytes) -> dict[str, str]:
    """The headers of a webhook that is sent now."""
    now = int(time.time())
    webhook_id = HEADERS["webhook-id"]
    return {
        "content-type": "application/json",
        "webhook-id": webhook_id,
        "webhook-timestamp": str(now),
        "webhook-signature": sign(SECRET, webhook_id, now, body),
    }


def test_the_receiver_on_this_machine_receives() -> None:
    environment = {**os.environ, "WEBHOOK_SECRET": SECRET, "RECEIVER_PORT": "0"}
    command = [sys.executable, "-c", example_with("ThreadingHTTPServer")]
    with subprocess.Popen(
        command, env=environment, text=True, stdout=subprocess.PIPE, stderr=subprocess.PIPE
    ) as receiver:
        try:
            assert receiver.stdout is not None
            url = receiver.stdout.readline().split()[-1]
            with httpx2.Client(trust_env=False) as http:
                assert http.post(url, content=BODY, headers=signed(BODY)).status_code == 204
                assert http.post(url, content=BODY + b" ", headers=signed(BODY)).status_code == 401
            assert receiver.stdout.readline() == "VERIFIED parcel.weighed PO-2026-1121-001\n"
            assert receiver.stdout.readline().startswith("REFUSED No signature matches")
            # Ctrl-C.
            receiver.send_signal(signal.SIGINT)
            assert receiver.stderr is not None
            assert "Traceback" not in receiver.stderr.read()
            assert receiver.wait(timeout=10) == 0
        finally:
            receiver.kill()


@pytest.mark.parametrize(("framework", "client_of"), [("Flask(__name__)", flask_client), ("FastAPI()", fastapi_client)])
def test_the_receivers_receive(
    framework: str, client_of: Callable[[Any], Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("WEBHOOK_SECRET", SECRET)
    namespace: dict[str, Any] = {"__name__": "example"}
    exec(compile(example_with(framework), framework, "exec", dont_inherit=True), namespace)
    send = client_of(namespace["app"])
    assert send(BODY, signed(BODY)) == 204
    assert send(BODY + b" ", signed(BODY)) == 401
    assert send(BODY, {"content-type": "application/json"}) == 401
