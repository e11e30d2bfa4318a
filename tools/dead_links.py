#!/usr/bin/env python3
"""Finds links that lead nowhere: in the repository's Markdown files, and between the pages of a site made by tools/docs.

Usage: python3 tools/dead_links.py [SITE]

Addresses of other sites are not opened. Ends with 1 when a link is dead.
"""

import json
import pathlib
import re
import subprocess
import sys
import urllib.parse

ROOT = pathlib.Path(__file__).resolve().parent.parent
FENCE = re.compile(r"^```.*?^```", re.MULTILINE | re.DOTALL)
CODE = re.compile(r"`[^`\n]*`")
LINK = re.compile(r"\]\(([^()\s]+)\)")
HEADING = re.compile(r"^#+ +(.*?) *$", re.MULTILINE)


def anchor(heading):
    """A heading's anchor as GitHub makes it."""
    words = re.sub(r"\[([^]]*)\]\([^)]*\)", r"\1", heading).lower()
    return re.sub(r"[^\w\- ]", "", words).replace(" ", "-")


def prose(path):
    return FENCE.sub("", path.read_text(encoding="utf-8"))


def dead_in_markdown(path):
    """The links of a file whose target, or heading of a target, does not exist."""
    for link in LINK.findall(CODE.sub("", prose(path))):
        target = urllib.parse.urlsplit(link)
        if target.scheme or target.netloc:
            continue
        file = path.parent / urllib.parse.unquote(target.path) if target.path else path
        if not file.exists():
            yield link
        elif target.fragment and target.fragment not in map(anchor, HEADING.findall(prose(file))):
            yield link


def links_in_page(value):
    """The addresses that a page's data refers to."""
    if isinstance(value, dict):
        if value.get("type") in ("topic", "link") and "url" in value:
            yield value["url"]
        for member in value.values():
            yield from links_in_page(member)
    elif isinstance(value, list):
        for element in value:
            yield from links_in_page(element)


def dead_in_site(site):
    """The links of a site whose page it does not have, each with the page that has it."""
    pages = site / "data"
    known = {"/" + str(path.relative_to(pages).with_suffix("")).lower() for path in pages.rglob("*.json")}
    for path in sorted(pages.rglob("*.json")):
        for url in sorted(set(links_in_page(json.loads(path.read_text(encoding="utf-8"))))):
            target = urllib.parse.urlsplit(url)
            if not target.scheme and urllib.parse.unquote(target.path).rstrip("/").lower() not in known:
                yield path.relative_to(pages), url


def main():
    listed = subprocess.run(
        ["git", "ls-files", "--cached", "--others", "--exclude-standard", "-z", "*.md"],
        cwd=ROOT, capture_output=True, check=True, text=True)
    files = [name for name in listed.stdout.split("\0") if name and (ROOT / name).exists()]
    dead = [(name, link) for name in files for link in dead_in_markdown(ROOT / name)]
    dead += [found for site in sys.argv[1:] for found in dead_in_site(pathlib.Path(site))]
    for place, link in dead:
        print(f"{place}: the link {link} leads nowhere", file=sys.stderr)
    sys.exit(1 if dead else 0)


if __name__ == "__main__":
    main()
