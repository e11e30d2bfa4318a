#!/usr/bin/env python3
"""Reads a protected file, protected data or a protected text without any code of PolicyJournal.

Usage: tools/read_protected_file.py FILE [--key HEX | --key-file FILE --wrapping-key HEX] [--info] > CONTENTS
       tools/read_protected_file.py --vectors FILE
  --key HEX            the account's key, 64 hexadecimal digits
  --key-file FILE      a key file, which holds it
  --wrapping-key HEX   the key that wraps the keys in the key file
  --info               print what the header says, as JSON, and not the contents
  --vectors FILE       check test vectors, such as those in Tests/FileProtection/Vectors

Written from published descriptions only: ProtectedFileFormat.md and KeyStores.md in Sources/FileProtection. AES-256-GCM is
libcrypto's, by ctypes; nothing needs to be installed besides Python.

Exit codes: 0 sound, 2 wrong use, 3 damaged, 4 unreadable or without its key, 5 needs a newer reader.
"""

import argparse
import base64
import ctypes
import ctypes.util
import hashlib
import hmac
import json
import sys

PAGE, LABEL, CHUNK, REFERENCE, FAN_OUT = 4096, 64, 65472, 36, 112
FILE_MAGIC = bytes.fromhex("8A504A500D0A1A0A")
DATA_MAGIC = bytes.fromhex("8A504A440D0A1A0A")
KEYS_MAGIC = bytes.fromhex("8A504A570D0A1A0A")


class Damaged(Exception):
    """The bytes are not as the holder of the key wrote them."""


class NoKey(Exception):
    """The key is not at hand, or was destroyed."""


class Unsupported(Exception):
    """The version or kind is not known."""


def number(data, place, length):
    return int.from_bytes(data[place:place + length], "little")


def digest(key, message):
    return hmac.new(key, message, hashlib.sha256).digest()


def derive(key, salt, purpose):
    """HKDF-SHA-256 for 32 bytes, which are one block. An empty salt stands for zeros, as HMAC pads it."""
    return digest(digest(salt, key), purpose.encode() + b"\x01")


def key_id(key):
    return digest(key, b"policyjournal key id")[:16]


class Cipher:
    """AES-256-GCM under one key."""

    library = None

    def __init__(self, key):
        if Cipher.library is None:
            library = ctypes.CDLL(ctypes.util.find_library("crypto") or "libcrypto.so.3")
            library.EVP_CIPHER_CTX_new.restype = ctypes.c_void_p
            library.EVP_aes_256_gcm.restype = ctypes.c_void_p
            Cipher.library = library
        self.key = key

    def open(self, nonce, context, text, tag):
        """The plain text, or None if the tag is not right."""
        library = Cipher.library
        state = ctypes.c_void_p(library.EVP_CIPHER_CTX_new())
        try:
            cipher = ctypes.c_void_p(library.EVP_aes_256_gcm())
            count = ctypes.c_int()
            output = ctypes.create_string_buffer(max(1, len(text)))
            steps = [library.EVP_DecryptInit_ex(state, cipher, None, self.key, nonce)]
            if context:
                steps.append(library.EVP_DecryptUpdate(state, None, ctypes.byref(count), context, len(context)))
            if text:
                steps.append(library.EVP_DecryptUpdate(state, output, ctypes.byref(count), text, len(text)))
            steps.append(library.EVP_CIPHER_CTX_ctrl(state, 0x11, 16, tag))
            rest = ctypes.create_string_buffer(16)
            steps.append(library.EVP_DecryptFinal_ex(state, rest, ctypes.byref(count)))
            return output.raw[:len(text)] if all(step == 1 for step in steps) else None
        finally:
            library.EVP_CIPHER_CTX_free(state)


def read_owner(data):
    count = number(data, 0, 2)
    if count > 1024 or count + 2 > len(data):
        raise Damaged("the owner's name is longer than its room")
    try:
        return data[2:2 + count].decode(), data[2 + count:]
    except UnicodeDecodeError:
        raise Damaged("the owner's name is not a text") from None


def check_start(data):
    if len(data) < 12:
        raise Damaged("the header was cut")
    if number(data, 8, 2) != 1 or data[10] not in (1, 2):
        raise Unsupported(f"version {number(data, 8, 2)}, kind {data[10]}")
    return data[10] == 1


class Reference:
    def __init__(self, data, place):
        self.page, self.generation = number(data, place, 8), number(data, place + 8, 8)
        self.length, self.tag = number(data, place + 16, 4), data[place + 20:place + 36]


class ProtectedFile:
    def __init__(self, data, find_key):
        self.data = data
        if len(data) < PAGE:
            raise Damaged("the file ends within its header")
        # Either header says what it is: a crash may have damaged one.
        first = data if data[:8] == FILE_MAGIC else data[PAGE:]
        self.is_encrypted = check_start(first)
        if not self.is_encrypted:
            self.owner, rest = read_owner(data[16:PAGE])
            if any(rest):
                raise Damaged("bytes behind the owner's name")
            self.key_id = None
            return
        headers = [header for header in (self.header(find_key, place) for place in (0, PAGE)) if header]
        if not headers or len({header[32:64] for header, _, _ in headers}) > 1:
            raise Damaged("neither header is sound, or they are of two files")
        header, opened, self.cipher = max(headers, key=lambda found: number(found[0], 64, 8))
        self.owner, rest = read_owner(opened)
        if any(rest):
            raise Damaged("bytes behind the owner's name")
        self.key_id, self.id = header[16:32], header[32:64]
        self.generation, self.size, self.sealed = (number(header, place, 8) for place in (64, 72, 80))
        self.root = Reference(header, 88)
        self.height, chunks = 0, -(-self.size // CHUNK)
        while FAN_OUT ** self.height < chunks:
            self.height += 1

    def header(self, find_key, place):
        header = self.data[place:place + PAGE]
        if len(header) < PAGE or header[:8] != FILE_MAGIC:
            return None
        cipher = Cipher(derive(find_key(header[16:32]), header[32:64], "policyjournal protected file"))
        opened = cipher.open(header[128:140], header[:140], header[140:4080], header[4080:])
        return None if opened is None else (header, opened, cipher)

    def block(self, level, index, reference):
        start = reference.page * PAGE
        block = self.data[start:start + LABEL + reference.length]
        label = (self.id[:16] + reference.generation.to_bytes(8, "little")
                 + (index | level << 56).to_bytes(8, "little") + reference.length.to_bytes(4, "little"))
        name = f"chunk {index}" if level == 0 else f"node {index} of level {level}"
        if len(block) < LABEL + reference.length:
            raise Damaged(f"the file ends before {name} does")
        if block[:36] != label or block[48:64] != reference.tag:
            raise Damaged(f"another block stands in the place of {name}")
        opened = self.cipher.open(block[36:48], label, block[LABEL:], reference.tag)
        if opened is None:
            raise Damaged(f"{name} was changed")
        return opened

    def chunks(self, level, index, reference):
        """The chunks below a block, by their numbers; holes are left out."""
        if reference.page == 0:
            return
        opened = self.block(level, index, reference)
        if level == 0:
            yield index, opened
            return
        for place in range(0, len(opened), REFERENCE):
            yield from self.chunks(level - 1, index * FAN_OUT + place // REFERENCE, Reference(opened, place))

    def parts(self):
        """The contents piece by piece, in order: a hole may be larger than the memory."""
        if not self.is_encrypted:
            yield self.data[PAGE:]
            return
        place = 0

        def zeros(end):
            nonlocal place
            while place < end:
                count = min(end - place, 1 << 20)
                place += count
                yield bytes(count)

        for index, chunk in self.chunks(self.height, 0, self.root):
            yield from zeros(min(index * CHUNK, self.size))
            piece = chunk[:max(0, self.size - place)]
            place += len(piece)
            yield piece
        yield from zeros(self.size)

    def contents(self):
        return b"".join(self.parts())


class ProtectedData:
    def __init__(self, data, find_key):
        self.key_id = None
        if len(data) < 12:
            raise Damaged("the data ends within its header")
        self.is_encrypted = check_start(data)
        if not self.is_encrypted:
            self.owner, self.rest = read_owner(data[12:])
            return
        if len(data) < 90:
            raise Damaged("the data ends within its header")
        self.key_id = data[12:28]
        cipher = Cipher(derive(find_key(self.key_id), data[28:60], "policyjournal protected data"))
        opened = cipher.open(data[60:72], data[:72], data[72:-16], data[-16:])
        if opened is None:
            raise Damaged("the data was changed or cut")
        self.owner, self.rest = read_owner(opened)

    def parts(self):
        yield self.rest

    def contents(self):
        return self.rest


def read_keys(data, wrapping):
    """The keys in a key file by their ids; None for one that was destroyed."""
    if data[:8] != KEYS_MAGIC or len(data) < 72:
        raise Damaged("it is not a key file")
    version = number(data, 8, 2)
    if version not in (1, 2):
        raise Unsupported(f"key file of version {version}")
    salt, count = data[24:40], number(data, 12, 4)
    start = 40 if version == 1 else 100
    if count > 66560 or len(data) != start + 100 * count + 32:
        raise Damaged("the key file was cut")
    if digest(derive(wrapping, salt, "policyjournal key store"), data[:-32]) != data[-32:]:
        raise Damaged("the key file was changed, or another key wraps it")
    cipher = Cipher(derive(wrapping, salt, "policyjournal key wrapping"))
    if version == 2 and cipher.open(data[40:52], b"policyjournal key names", data[52:84], data[84:100]) is None:
        raise Damaged("the key of the names")
    keys = {}
    for place in range(start, len(data) - 32, 100):
        record = data[place:place + 100]
        if record[0] not in (1, 2):
            raise Unsupported(f"the record at byte {place} is of kind {record[0]}")
        if record[0] == 2:
            # Version 1 has zeros after the first id.
            ids = (record[part:part + 16] for part in range(24, 88, 16))
            keys.update((destroyed, None) for destroyed in ids if any(destroyed))
            continue
        key = cipher.open(record[40:52], record[8:40], record[52:84], record[84:])
        if key is None or key_id(key) != record[24:40]:
            raise Damaged(f"the key at byte {place}")
        keys[record[24:40]] = key
    return keys


def finder(keys):
    def find(wanted):
        if wanted not in keys:
            raise NoKey(f"the key {wanted.hex()} is not at hand")
        if keys[wanted] is None:
            raise NoKey(f"the key {wanted.hex()} was destroyed")
        return keys[wanted]

    return find


def read(data, keys):
    if data[:8] == FILE_MAGIC or data[PAGE:PAGE + 8] == FILE_MAGIC:
        return ProtectedFile(data, finder(keys))
    if data.startswith(b"ilBKRA0KGg"):
        try:
            data = base64.b64decode(data.strip(), validate=True)
        except ValueError:
            raise Damaged("the text is not Base64") from None
    if data[:8] == DATA_MAGIC:
        return ProtectedData(data, finder(keys))
    raise Unsupported("it is neither a protected file nor protected data")


def check_vectors(path):
    with open(path, encoding="utf-8") as file:
        vectors = json.load(file)
    failures = 0
    files = vectors.get("vectors", [])
    for vector in files:
        key = bytes.fromhex(vector["key"])
        keys = {key_id(key): key}
        found = read(base64.b64decode(vector["protected"]), keys)
        contents = b"".join(
            base64.b64decode(part["bytes"]).rjust(part["zeros"] + len(base64.b64decode(part["bytes"])), b"\0")
            for part in vector["contents"])
        if found.contents() != contents or found.owner != vector["owner"]:
            print(f"{vector['name']}: other contents or another owner", file=sys.stderr)
            failures += 1
        if key_id(key).hex() != vector["keyID"]:
            print(f"{vector['name']}: another key id", file=sys.stderr)
            failures += 1
    store = vectors["keyFile"]
    keys = read_keys(base64.b64decode(store["bytes"]), bytes.fromhex(store["wrappingKey"]))
    if {found.hex(): key and key.hex() for found, key in keys.items()} != store["keys"]:
        print("key file: other keys", file=sys.stderr)
        failures += 1
    print(f"{len(files) + 1} vectors, {failures} wrong")
    return 3 if failures else 0


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("file", nargs="?")
    parser.add_argument("--key", type=bytes.fromhex)
    parser.add_argument("--key-file")
    parser.add_argument("--wrapping-key", type=bytes.fromhex)
    parser.add_argument("--info", action="store_true")
    parser.add_argument("--vectors")
    arguments = parser.parse_args()
    if arguments.vectors:
        return check_vectors(arguments.vectors)
    if not arguments.file or (arguments.key_file is None) != (arguments.wrapping_key is None):
        parser.error("a file is needed, and a key file needs its wrapping key")
    try:
        keys = {key_id(arguments.key): arguments.key} if arguments.key else {}
        if arguments.key_file:
            with open(arguments.key_file, "rb") as file:
                keys.update(read_keys(file.read(), arguments.wrapping_key))
        with open(arguments.file, "rb") as file:
            found = read(file.read(), keys)
        if arguments.info:
            identity = found.key_id.hex() if found.key_id else None
            print(json.dumps({"owner": found.owner, "isEncrypted": found.is_encrypted, "keyID": identity}))
        else:
            for part in found.parts():
                sys.stdout.buffer.write(part)
        return 0
    except Damaged as error:
        code = 3
        message = error
    except (NoKey, OSError) as error:
        code = 4
        message = error
    except Unsupported as error:
        code = 5
        message = error
    print(f"read_protected_file.py: {arguments.file}: {message}", file=sys.stderr)
    return code


if __name__ == "__main__":
    sys.exit(main())
