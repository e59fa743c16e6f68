"""Takes the screenshots in Docs/images from the report of the sample: `make pictures`.

Usage: pictures.py REPORT FOLDER
"""

import base64
import sys
from pathlib import Path

from browser import Browser

# Name, width, height of the window, height of the picture, is dark. All begin at the top.
PICTURES = [
    ("dashboard-390-light", 390, 844, 1700, False), ("dashboard-390-dark", 390, 844, 1700, True),
    ("dashboard-768-light", 768, 1024, 1500, False), ("dashboard-768-dark", 768, 1024, 1500, True),
    ("dashboard-1280-light", 1280, 900, 1900, False), ("dashboard-1280-dark", 1280, 900, 1900, True),
    ("dashboard-1920-light", 1920, 1080, 1080, False), ("dashboard-1920-dark", 1920, 1080, 1080, True),
    ("dashboard", 1100, 800, 800, False),
]


def main(report, folder):
    url = Path(report).resolve().as_uri()
    Path(folder).mkdir(parents=True, exist_ok=True)
    with Browser() as browser:
        for name, width, height, length, is_dark in PICTURES:
            browser.open(url, width, height, is_dark, width < 500)
            take(browser, f"{folder}/{name}.webp", 0, width, length)
        # The cohorts, located by the ids of their elements.
        browser.open(url, 1100, 800, False)
        top, bottom = browser.evaluate(
            "['retention', 'lifetime'].map((id) => document.getElementById(id).getBoundingClientRect())"
            ".flatMap((box) => [box.top + scrollY - 16, box.bottom + scrollY + 16])")[::3]
        take(browser, f"{folder}/cohorts.webp", top, 1100, bottom - top)
        # The print layout, as wide as one page.
        browser.open(url, 794, 1123, True)
        browser.evaluate("dispatchEvent(new Event('beforeprint'))")
        browser.call("Emulation.setEmulatedMedia", media="print")
        take(browser, f"{folder}/dashboard-print.webp", 0, 794, 1123)


def take(browser, path, top, width, length):
    """Writes a part of the page as a WebP picture."""
    picture = browser.call(
        "Page.captureScreenshot", format="webp", quality=72, captureBeyondViewport=True,
        clip={"x": 0, "y": top, "width": width, "height": length, "scale": 1})
    Path(path).write_bytes(base64.b64decode(picture["data"]))


if __name__ == "__main__":
    main(*sys.argv[1:])
