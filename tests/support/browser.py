"""A real browser driven over its own pipe: keys pressed, files saved, nothing but the page's own script run."""

import json
import os
import subprocess
from pathlib import Path
from typing import Any, Self

_FLAGS = ("--headless", "--no-sandbox", "--disable-gpu", "--remote-debugging-pipe", "--no-first-run")


class Browser:
    """One page in Chromium, spoken to by the DevTools protocol: null-terminated JSON through descriptors 3 and 4."""

    def __init__(self, chromium: str, profile: Path, downloads: Path) -> None:
        to_browser, self._out = os.pipe()
        self._in, from_browser = os.pipe()
        # The shell puts the pipes where the browser looks for them.
        line = f'exec "$0" "$@" 3<&{to_browser} 4>&{from_browser}'
        arguments = ["bash", "-c", line, chromium, *_FLAGS, f"--user-data-dir={profile}", "about:blank"]
        self._process = subprocess.Popen(
            arguments, pass_fds=(to_browser, from_browser), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
        )
        os.close(to_browser)
        os.close(from_browser)
        self._buffer, self._number, self._session = b"", 0, ""
        self.call("Browser.setDownloadBehavior", behavior="allow", downloadPath=str(downloads), eventsEnabled=True)
        target = next(each for each in self.call("Target.getTargets")["targetInfos"] if each["type"] == "page")
        self._session = self.call("Target.attachToTarget", targetId=target["targetId"], flatten=True)["sessionId"]
        self.call("Page.enable")

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._process.terminate()
        self._process.wait(timeout=30)
        os.close(self._out)
        os.close(self._in)

    def open(self, page: Path) -> None:
        """Load a page from disk and wait until its scripts ran."""
        self.call("Page.navigate", url=page.as_uri())
        self.wait_for("Page.loadEventFired")

    def value(self, expression: str) -> Any:
        """Return the value of a JavaScript expression."""
        found = self.call("Runtime.evaluate", expression=expression, returnByValue=True)
        assert "exceptionDetails" not in found, found
        return found["result"].get("value")

    def press(self, key: str) -> None:
        """Press a key as a person would."""
        self.call("Input.dispatchKeyEvent", type="keyDown", key=key, text=key if len(key) == 1 else "")
        self.call("Input.dispatchKeyEvent", type="keyUp", key=key)

    def type(self, element: str, text: str) -> None:
        """Put the cursor into an element and type a text."""
        self.value(f"document.getElementById({json.dumps(element)}).focus()")
        self.call("Input.insertText", text=text)
        self.value("document.activeElement.blur()")

    def call(self, method: str, **params: Any) -> Any:
        """Send a command and return its result; events on the way are passed over."""
        self._number += 1
        message = {"id": self._number, "method": method, "params": params}
        if self._session:
            message["sessionId"] = self._session
        os.write(self._out, json.dumps(message).encode() + b"\0")
        while (found := self._next()).get("id") != self._number:
            pass
        assert "error" not in found, found
        return found["result"]

    def wait_for(self, event: str, **fields: str) -> None:
        """Return once an event comes in which these fields have these values."""
        while True:
            found = self._next()
            if found.get("method") == event and fields.items() <= found["params"].items():
                return

    def _next(self) -> Any:
        while b"\0" not in self._buffer:
            piece = os.read(self._in, 1 << 16)
            assert piece, "the browser ended"
            self._buffer += piece
        line, _, self._buffer = self._buffer.partition(b"\0")
        return json.loads(line)
