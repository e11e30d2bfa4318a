"""Reads the file that 'pj export' writes, from the page Sources/Forensics/Forensics.docc/Exports.md."""

import base64
import gzip
import hashlib
import json
import struct
import zlib

from journal_payloads import Schema, decode_event, read_catalog_schema

KNOWN_VERSION = 1


class Cut(Exception):
    """Something does not verify: what precedes it counts."""


class TooNew(Exception):
    """The file says that this reader must not read it."""


def lines_of(path):
    """The lines, without their ends; the last one may be cut."""
    with open(path, "rb") as file:
        magic = file.read(2)
        file.seek(0)
        source = gzip.GzipFile(fileobj=file) if magic == b"\x1f\x8b" else file
        while True:
            try:
                line = source.readline()
            except (EOFError, OSError, zlib.error) as error:
                raise Cut(f"the compressed data end early or do not verify: {error}") from error
            if not line:
                return
            if not line.endswith(b"\n"):
                raise Cut("the last line is cut short")
            yield line


def next_chain(chain, payload):
    return zlib.crc32(payload, zlib.crc32(struct.pack("<I", len(payload) | 1 << 24), chain))


class Export:
    """The records of an export, verified one by one."""

    def __init__(self, path):
        self.path = path
        self.start = None
        self.schema = Schema()
        self.is_ended = False
        self.end_known = True
        self.lost = 0

    def items(self):
        """The events as (number, chain, payload, record), and the lost ones as (first, last)."""
        whole, content = hashlib.sha256(), hashlib.sha256()
        chain, last, count = 0, 0, 0
        for line in lines_of(self.path):
            try:
                record = json.loads(line)
            except ValueError as error:
                raise Cut(f"a line is not JSON: {error}") from error
            if self.is_ended:
                raise Cut("a line follows the last record")
            kind = record["kind"]
            if self.start is None:
                if kind != "start" or record["schema"] != "policyjournal.export":
                    raise Cut("this is not an export")
                if record["version"] > KNOWN_VERSION:
                    raise TooNew(f"version {record['version']}")
                self.start, chain, last = record, int(record["chain"], 16), record["first"] - 1
            elif kind == "catalog":
                data = base64.b64decode(record["bytes"]) if record["bytes"] is not None else None
                if data is not None and hashlib.sha256(data).hexdigest() != record["sha256"]:
                    raise Cut("a catalogue does not verify")
                self.schema = read_catalog_schema(data) if data else Schema()
            elif kind in ("event", "gap"):
                first = record["seq" if kind == "event" else "from"]
                if first != last + 1:
                    raise Cut(f"event {first} is not the next one")
                last = first if kind == "event" else record["to"]
                payload = base64.b64decode(record["payload"]) if kind == "event" else b""
                for _ in range(first, last + 1):
                    chain = next_chain(chain, payload)
                    content.update(struct.pack("<I", len(payload)) + payload)
                if kind == "event":
                    if f"{chain:08x}" != record["chain"]:
                        raise Cut(f"event {first} does not verify")
                    count += 1
                    yield first, chain, payload, record
                else:
                    self.lost += last - first + 1
                    yield first, last
            elif kind == "end":
                if (whole.hexdigest(), content.hexdigest(), count) != (
                        record["checksum"], record["sha256"], record["events"]):
                    raise Cut("the checksum of the file is wrong")
                self.is_ended, self.end_known = True, record["endKnown"]
            elif kind not in ("damage", "checkpoint") and record.get("mustUnderstand"):
                raise TooNew(f"a record of the kind {kind}")
            whole.update(line)
        if not self.is_ended:
            raise Cut("the last record is missing")


def read_export(path, own_schema, emit):
    """Hands every event over as a record, in order, and says what is missing; returns the exit code.

    - own_schema: The schema of the domain without catalogues, for journals that name none.
    """
    export = Export(path)
    try:
        is_begun = False
        for item in export.items():
            if not is_begun:
                is_begun = True
                emit({"kind": "journal", "domain": export.start["domain"]})
            if len(item) == 2:
                emit({"kind": "lost", "from": item[0], "to": item[1]})
                continue
            sequence, chain, payload, _ = item
            schema = export.schema if export.start["domain"] else own_schema
            emit(decode_event(schema, sequence, chain, payload))
    except TooNew as error:
        emit({"kind": "finding", "verdict": "unsupportedFormat", "file": path, "cause": str(error)})
        return 5
    except (Cut, KeyError, TypeError, ValueError) as error:
        emit({"kind": "finding", "verdict": "damaged", "file": path, "cause": str(error)})
        return 3
    return 3 if export.lost or not export.end_known else 0
