"""Controls headless chromium over its debugging pipe; needs no Python package."""

import base64
import json
import os
import shutil
import subprocess
import tempfile


class Browser:
    """A browser process with an empty profile; `open` opens a page."""

    def __init__(self):
        program = shutil.which("chromium") or shutil.which("chromium-browser")
        if program is None:
            raise SystemExit("chromium is missing: apt install chromium")
        self.profile = tempfile.mkdtemp(prefix="paidline-browser-")
        to_browser, self.out = os.pipe()
        self.back, from_browser = os.pipe()

        def give_pipes():
            # The browser reads from descriptor 3 and writes to 4. The pipes may already have these
            # numbers, so first duplicate them to high numbers.
            read, write = os.dup(to_browser), os.dup(from_browser)
            high_read, high_write = os.dup2(read, 90), os.dup2(write, 91)
            os.dup2(high_read, 3)
            os.dup2(high_write, 4)

        self.process = subprocess.Popen(
            [program, "--headless=new", "--no-sandbox", "--disable-gpu", "--hide-scrollbars",
             "--remote-debugging-pipe", f"--user-data-dir={self.profile}", "about:blank"],
            stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
            preexec_fn=give_pipes, close_fds=False)
        os.close(to_browser)
        os.close(from_browser)
        self.rest = b""
        self.number = 0
        self.events = []
        self.session = None

    def __enter__(self):
        return self

    def __exit__(self, *_):
        try:
            self.call("Browser.close", on_page=False)
        except (OSError, EOFError):
            pass
        os.close(self.out)
        os.close(self.back)
        try:
            self.process.wait(10)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
        shutil.rmtree(self.profile, ignore_errors=True)

    def _message(self):
        while b"\0" not in self.rest:
            piece = os.read(self.back, 1 << 20)
            if not piece:
                raise EOFError("chromium ended unexpectedly")
            self.rest += piece
        message, self.rest = self.rest.split(b"\0", 1)
        return json.loads(message)

    def call(self, method, on_page=True, **parameters):
        """Calls a method of the DevTools protocol and returns its result."""
        self.number += 1
        message = {"id": self.number, "method": method, "params": parameters}
        if on_page and self.session:
            message["sessionId"] = self.session
        os.write(self.out, json.dumps(message).encode() + b"\0")
        while True:
            answer = self._message()
            if answer.get("id") == self.number:
                if "error" in answer:
                    raise RuntimeError(f"{method}: {answer['error']}")
                return answer["result"]
            self.events.append(answer)

    def open(self, url, width, height, is_dark, is_phone=False):
        """Opens a page in a new tab with a size and colour scheme; waits until it is loaded."""
        target = self.call("Target.createTarget", on_page=False, url="about:blank")["targetId"]
        self.session = self.call(
            "Target.attachToTarget", on_page=False, targetId=target, flatten=True)["sessionId"]
        self.events = []
        for domain in ["Page", "Runtime", "Log", "Network", "Security"]:
            self.call(f"{domain}.enable")
        self.call(
            "Emulation.setDeviceMetricsOverride", width=width, height=height,
            deviceScaleFactor=1, mobile=is_phone)
        scheme = {"name": "prefers-color-scheme", "value": "dark" if is_dark else "light"}
        self.call("Emulation.setEmulatedMedia", features=[scheme])
        self.call("Page.navigate", url=url)
        while not any(event.get("method") == "Page.loadEventFired" for event in self.events):
            self.events.append(self._message())

    def evaluate(self, expression):
        """Evaluates a JavaScript expression on the page; returns its value."""
        result = self.call(
            "Runtime.evaluate", expression=expression, returnByValue=True, awaitPromise=True)
        if "exceptionDetails" in result:
            raise RuntimeError(f"{expression}: {result['exceptionDetails']}")
        return result["result"].get("value")

    def complaints(self):
        """The console messages, exceptions and browser log entries of the page."""
        found = []
        for event in self.events:
            method, parameters = event.get("method"), event.get("params", {})
            if method == "Runtime.exceptionThrown":
                found.append(json.dumps(parameters["exceptionDetails"])[:300])
            elif method == "Runtime.consoleAPICalled":
                found.append(json.dumps(parameters["args"])[:300])
            elif method == "Log.entryAdded":
                found.append(parameters["entry"]["text"])
        return found

    def requests(self):
        """The URLs that the page requested."""
        return [
            event["params"]["request"]["url"] for event in self.events
            if event.get("method") == "Network.requestWillBeSent"]

    def screenshot(self, path, whole=True):
        """Writes a screenshot of the page as a PNG file."""
        picture = self.call("Page.captureScreenshot", format="png", captureBeyondViewport=whole)
        with open(path, "wb") as file:
            file.write(base64.b64decode(picture["data"]))

    def print(self, path):
        """Prints the page to a PDF file."""
        document = self.call("Page.printToPDF", printBackground=True, preferCSSPageSize=True)
        with open(path, "wb") as file:
            file.write(base64.b64decode(document["data"]))
