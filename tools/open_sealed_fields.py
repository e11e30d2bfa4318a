#!/usr/bin/env python3
"""Opens the sealed fields of a journal's events without any code of PolicyJournal, and prints one JSON object a line for each.

Usage: tools/open_sealed_fields.py JOURNAL --key-file FILE --wrapping-key HEX --scope SCOPE
  JOURNAL              the journal's directory; nothing in it changes
  --key-file FILE      the key file with the keys of the journal's accounts
  --wrapping-key HEX   the key that wraps the keys in the key file, 64 hexadecimal digits
  --scope SCOPE        the scope of the app's keys: the app and the installation with a space between them, as in
                       "com.contoso.notes 00112233445566778899aabbccddeeff"

Each object has the event's number ("seq"), the path of the field in the event's body ("field"), the account whose key seals it
("account"), and its text or GUID ("text"), which is null where no key opens it: the person is erased, or the value was moved.

Written from published descriptions only: SealedData.md and Catalogs.md in Sources/EventSourcing, KeyStores.md in
Sources/FileProtection, and those that read_journal.py and read_protected_file.py name.

Exit codes: 0 every field is opened or its key was destroyed, 2 wrong use, 3 damaged, 4 unreadable, 5 needs a newer reader.
"""

import argparse
import json
import os
import sys

sys.dont_write_bytecode = True  # Reading leaves nothing behind.
sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import journal_format  # noqa: E402
from journal_payloads import Undecodable, is_guid, is_sealed, read_envelope, wire_fields  # noqa: E402
from read_journal import Lost, Reader, Schemas  # noqa: E402
from read_protected_file import (  # noqa: E402
    Cipher, Damaged, NoKey, Unsupported, derive, digest, number, read_keys,
)

TEXT, JSON_VALUE, GUID = 4, 5, 7
PRIVACY = {"": 0, "privacy: account": 1, "privacy: secret": 2}


class KeyFile:
    """The keys of a key file by the scope and the account that they are named by."""

    def __init__(self, data, wrapping):
        keys = read_keys(data, wrapping)  # Checks the file as a whole.
        salt, count = data[24:40], number(data, 12, 4)
        start = len(data) - 32 - 100 * count
        if number(data, 8, 2) == 1:
            self.naming = derive(wrapping, salt, "policyjournal key names")
        else:
            # From version 2 on, the file itself holds the key of the names, wrapped like the others.
            cipher = Cipher(derive(wrapping, salt, "policyjournal key wrapping"))
            self.naming = cipher.open(data[40:52], b"policyjournal key names", data[52:84], data[84:100])
        self.named = {}
        for place in range(start, len(data) - 32, 100):
            record = data[place:place + 100]
            # A name may have had keys that were destroyed, and one that is in use.
            if record[0] == 1 or record[8:24] not in self.named:
                self.named[record[8:24]] = keys[record[24:40]] if record[0] == 1 else None

    def find(self, scope, account):
        """The key of a name; None for one that was destroyed."""
        code = digest(self.naming, len(scope.encode()).to_bytes(4, "little") + scope.encode() + account.encode())[:16]
        if code not in self.named:
            raise NoKey(f"the key file has no key of account {account}: is the scope right?")
        return self.named[code]


class SealedFields:
    """Finds and opens the sealed fields of one journal's events."""

    def __init__(self, domain, keys, scope):
        self.domain, self.keys, self.scope, self.known = domain.encode(), keys, scope, {}

    def cipher(self, account):
        if account not in self.known:
            key = self.keys.find(f"journal of {self.scope}", str(account))
            self.known[account] = key and Cipher(derive(key, b"", "policyjournal sealed values"))
        return self.known[account]

    def open(self, value, kind, privacy):
        """The bytes that a value seals; None where no key opens it."""
        cipher = self.cipher(number(value, 2, 8))
        context = (b"policyjournal sealed value\0" + self.domain + b"\0" + value[:10] + bytes([kind, privacy]))
        return cipher and cipher.open(value[10:22], context, value[22:-16], value[-16:])

    def within(self, schema, name, data, path=""):
        """The path, account and text of each sealed field of a message."""
        fields = schema.messages.get(name, {})
        for found in wire_fields(data):
            known = fields.get(found.number)
            if not known or found.wire_type != 2:
                continue
            place = f"{path}.{known.name}" if path else known.name
            if known.type in schema.messages:
                yield from self.within(schema, known.type, found.value, place)
            elif (known.type == "string" or is_guid(known)) and is_sealed(found.value):
                kind = GUID if is_guid(known) else JSON_VALUE if "one JSON value" in known.notes else TEXT
                privacy = max(PRIVACY.get(note, 0) for note in known.notes | {""})
                yield place, number(found.value, 2, 8), shown(self.open(found.value, kind, privacy), kind)


def shown(opened, kind):
    if opened is None:
        return None
    if kind == GUID:
        return "-".join(opened[start:end].hex() for start, end in ((0, 4), (4, 6), (6, 8), (8, 10), (10, 16)))
    return opened.decode()


def run(arguments):
    with open(arguments.key_file, "rb") as file:
        keys = KeyFile(file.read(), arguments.wrapping_key)
    reader = Reader(arguments.journal)
    if reader.identity.domain is None:
        raise Unsupported("the journal names no domain, which every sealed value is bound to")
    schemas, fields, code = Schemas(reader, None), SealedFields(reader.identity.domain, keys, arguments.scope), 0
    for item in reader.items():
        if isinstance(item, dict):
            code = max(code, 3) if item["isDamage"] else code
            continue
        if isinstance(item, Lost):
            code = max(code, 3)
            continue
        sequence, payload = item[0], item[2]
        envelope, trouble = read_envelope(payload)
        schema = schemas.current_one()
        event = schema.events.get(envelope.get(1, 0))
        if trouble or not event:
            # Whether it has sealed fields, no one can say.
            code = max(code, 3 if trouble else 5)
            continue
        try:
            for place, account, text in fields.within(schema, event.message, envelope.get(15, b"")):
                record = {"seq": sequence, "field": place, "account": account, "text": text}
                print(json.dumps(record, ensure_ascii=False, separators=(",", ":")))
        except Undecodable as error:
            raise Damaged(f"event {sequence}: {error}") from None
    return code


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("journal")
    parser.add_argument("--key-file", required=True)
    parser.add_argument("--wrapping-key", required=True, type=bytes.fromhex)
    parser.add_argument("--scope", required=True)
    arguments = parser.parse_args()
    try:
        return run(arguments)
    except (Damaged, journal_format.Damaged) as error:
        code, message = 3, error
    except (NoKey, OSError) as error:
        code, message = 4, error
    except (Unsupported, journal_format.Unsupported) as error:
        code, message = 5, error
    print(f"open_sealed_fields.py: {arguments.journal}: {message}", file=sys.stderr)
    return code


if __name__ == "__main__":
    sys.exit(main())
