"""Checks the built site: all links work, all pages are reachable, nothing is loaded from elsewhere.

Usage: site.py FOLDER
"""

import sys
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urldefrag, urljoin, urlsplit

BASE = "https://site.invalid/"


class Page(HTMLParser):
    """The links of a page, the files that it loads, and the anchors that it defines."""

    def __init__(self, file):
        super().__init__()
        self.links, self.loaded, self.places = [], [], set()
        self.feed(file.read_text(encoding="utf-8"))

    def handle_starttag(self, tag, attributes):
        attributes = dict(attributes)
        self.places.update(filter(None, [attributes.get("id"), attributes.get("name")]))
        if tag == "a" and "href" in attributes:
            self.links.append(attributes["href"])
        elif tag == "link" and attributes.get("rel") != "canonical":
            self.loaded.append(attributes["href"])
        elif "src" in attributes:
            self.loaded.append(attributes["src"])


def main(folder):
    root = Path(folder)
    pages = {file: Page(file) for file in root.rglob("*.html")}
    faults, seen, waiting = [], set(), [root / "index.html"]
    while waiting:
        file = waiting.pop()
        if file in seen:
            continue
        seen.add(file)
        page = pages[file]
        own = BASE + file.relative_to(root).as_posix()
        for link in page.links + page.loaded:
            address, place = urldefrag(urljoin(own, link))
            if not address.startswith(BASE):
                if link in page.loaded or urlsplit(address).scheme not in ("https", "mailto"):
                    faults.append(
                        f"{file}: {link} is external; a link may be https or mailto, "
                        "a loaded file must be local")
                continue
            target = root / unquote(address.removeprefix(BASE))
            target = target / "index.html" if target.is_dir() else target
            if not target.is_file():
                faults.append(f"{file}: {link} does not exist")
            elif target in pages:
                waiting.append(target)
                if place and unquote(place) not in pages[target].places:
                    faults.append(f"{file}: {link}: {target} has no anchor #{place}")
    unreached = pages.keys() - seen - {root / "404.html"}
    faults += [f"{file}: no page links to it" for file in sorted(unreached)]
    if len(pages) < 20 or not (root / "search/search_index.json").is_file():
        faults.append(f"{folder}: expected 20 pages or more and a search index; found {len(pages)} pages")
    print("\n".join(faults) or f"{len(seen)} pages, all links work")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
