#!/usr/bin/env python3
"""Writes a site of docc in one form, which is the same for the same pages: docc writes members in any order, states in some
links and not in others under which condition their symbol is there, and adds two files that only its next run would read.

Usage: site.py SITE
"""

import json
import pathlib
import sys

site = pathlib.Path(sys.argv[1])
for name in ("link-hierarchy.json", "linkable-entities.json"):
    (site / name).unlink(missing_ok=True)
for path in site.rglob("*.json"):
    page = json.loads(path.read_bytes())
    if isinstance(page, dict):
        for reference in page.get("references", {}).values():
            reference.pop("conformance", None)
    path.write_text(json.dumps(page, sort_keys=True, separators=(",", ":"), ensure_ascii=False), encoding="utf-8")
