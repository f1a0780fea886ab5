#!/usr/bin/env python3
"""Checks the built documentation site: links, anchors, and that nothing is loaded from elsewhere.

usage: tools/check_site.py FOLDER

Every relative link of a page leads to a file of the site, every #anchor to an element with that id, and no page loads a script, a
style, a font, a picture or a frame from another host. Prints what it counted; ends with 1 when something is wrong.
"""

import re
import sys
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit

LOADING = {
    "script": "src",
    "img": "src",
    "iframe": "src",
    "link": "href",
    "source": "src",
    "video": "src",
    "audio": "src",
    "object": "data",
}


class Page(HTMLParser):
    def __init__(self):
        super().__init__(convert_charrefs=True)
        self.ids, self.links, self.loads = set(), [], []

    def handle_starttag(self, tag, attrs):
        values = dict(attrs)
        if values.get("id"):
            self.ids.add(values["id"])
        if tag == "a" and values.get("name"):
            self.ids.add(values["name"])
        if tag in LOADING and values.get(LOADING[tag]):
            self.loads.append(values[LOADING[tag]])
        elif tag == "source" and values.get("srcset"):
            self.loads += [part.split()[0] for part in values["srcset"].split(",")]
        elif tag == "a" and values.get("href"):
            self.links.append(values["href"])

    handle_startendtag = handle_starttag


def read(path):
    page = Page()
    page.feed(path.read_text())
    return page


def main():
    folder = Path(sys.argv[1]).resolve() if len(sys.argv) == 2 else None
    if folder is None or not (folder / "index.html").exists():
        raise SystemExit("check_site: expected the folder of a built site, with index.html")
    pages = {path.resolve(): read(path) for path in folder.rglob("*.html")}
    wrong, internal, anchors, external, loads = [], 0, 0, 0, 0

    def check(path, target, loaded):
        nonlocal internal, anchors, external, loads
        parts = urlsplit(target)
        where = f"{path.relative_to(folder)}: {target}"
        if parts.scheme in ("data", "mailto", "javascript", "blob"):
            return
        if parts.scheme or parts.netloc:
            if loaded:
                wrong.append(where + ": loaded from elsewhere")
            external += 1
            return
        loads, internal = loads + loaded, internal + (not loaded)
        file = (path.parent / unquote(parts.path)).resolve() if parts.path else path
        if file.is_dir():
            file = file / "index.html"
        if not file.exists() or not file.is_relative_to(folder):
            if path.name != "404.html":  # made for a server's root
                wrong.append(where + ": no such file")
        elif parts.fragment and file in pages and "reports" not in file.parts:
            anchors += 1
            if file == folder / "studio.html":  # its links name models
                if not (folder / "gallery" / f"{parts.fragment.removeprefix('model=')}.html").exists():
                    wrong.append(where + ": no such model")
            elif unquote(parts.fragment) not in pages[file].ids and not parts.fragment.startswith("__"):
                wrong.append(where + ": no such anchor")

    for path, page in sorted(pages.items()):
        for target in page.links:
            check(path, target, False)
        for target in page.loads:
            check(path, target, True)
    for sheet in folder.rglob("*.css"):
        for url in re.findall(r"(?:@import\s+|url\()\s*[\"']?([^\"')]+)", sheet.read_text()):
            check(sheet.resolve(), url, True)
    for line in wrong:
        print("check_site:", line, file=sys.stderr)
    print(
        f"{len(pages)} pages, {internal} internal links, {anchors} anchors, {loads} files loaded, {external} links to elsewhere; "
        f"{len(wrong)} wrong"
    )
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
