"""A hook of MkDocs that adapts links to files and folders of the repository.

A link to a folder with a README.md becomes a link to that page. A link to a file or folder that is
not on the site, such as a source file, becomes plain text. Broken links stay, so that MkDocs reports
them.
"""

import posixpath
import re
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
LINK = re.compile(r"(?<!!)\[([^\]]+)\]\((?![a-z]+:|#)([^)#\s]+)(#[^)\s]*)?\)")


def on_page_markdown(markdown, page, config, files):
    folder = posixpath.dirname(page.file.src_uri)

    def replaced(link):
        text, target, anchor = link.groups()
        path = posixpath.normpath(posixpath.join(folder, target))
        readme = posixpath.join(path, "README.md")
        if files.get_file_from_path(readme):
            return f"[{text}]({posixpath.relpath(readme, folder or '.')}{anchor or ''})"
        if files.get_file_from_path(path) or not (ROOT / path).exists():
            return link.group()
        return text

    return LINK.sub(replaced, markdown)
