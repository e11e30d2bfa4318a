#!/usr/bin/env python3
"""Changes a journal as no damage does: the checksums of what is changed are right again. For tests of readers.

Usage, in the journal's directory: tools/forge_journal.py CHANGE FILE [NUMBER [NUMBER]]
"""

import os
import struct
import sys

sys.dont_write_bytecode = True
sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from journal_format import EVENT, crc, frame_at, read_segment_header  # noqa: E402

LAST_OF_BATCH = 1 << 30


def put(path, form, place, number):
    with open(path, "r+b") as file:
        file.seek(place)
        file.write(struct.pack(form, number))


def seal(path, start, stop, seed=0):
    """Renews the checksum behind some bytes."""
    with open(path, "rb") as file:
        data = file.read()
    put(path, "<I", stop, crc(seed, data[start:stop]))


def forge_frames(change, path, index, number):
    """Rewrites a segment behind a change of its frames; each event's position and `previous` stay what they were."""
    with open(path, "rb") as file:
        data = file.read()
    header = read_segment_header(path, data)
    frames, frame = [], frame_at(data, header.size, len(data), header.seed)
    while frame:
        frames.append([frame.type, frame.position, frame.previous, frame.payload])
        frame = frame_at(data, frame.end, len(data), header.seed)
    one = frames[index]
    if change == "drop":
        del frames[index]
    elif change == "repeat":
        frames.insert(index, one)
    elif change == "swap":
        frames[index : index + 2] = reversed(frames[index : index + 2])
    elif change == "type":
        one[0] = number
    elif change == "renumber":
        one[1] ^= number
    elif change == "cut":
        one[3] = one[3][:-number]
    elif change == "metadata":
        one[3] += b"\x8a\x01\x06\x0a\x01k\x12\x01v" * number
    elif change == "open":
        # The last events become a batch without an end.
        while frames[-1][0] != EVENT:
            frames.pop()
        for frame in frames[-number:]:
            frame[1] &= ~LAST_OF_BATCH
    elif change == "grow":
        # Payloads of as many bytes, and all events are one batch.
        for frame in frames[index : index + 3]:
            frame[1] &= ~LAST_OF_BATCH
            frame[3] += b"\xfa\x01" + bytes(byte | 0x80 for byte in (number & 0x7F, number >> 7 & 0x7F, number >> 14 & 0x7F))
            frame[3] += bytes([number >> 21]) + bytes(number)
    result = bytearray(data[: header.size])
    for type, position, previous, payload in frames:
        content = struct.pack("<I", len(payload) | type << 24) + payload
        place = struct.pack("<QII", len(result), position, crc(previous, content))
        result += struct.pack("<III", crc(header.seed, place), position, previous) + content
        result += bytes(-len(result) % 8)
    with open(path, "wb") as file:
        file.write(result)
    if change == "open":
        forge_head(header, len(result), frames[-1])


def forge_head(header, size, last):
    """Makes HEAD say that a segment was synced up to its last event."""
    type, position, previous, payload = last
    chain = crc(previous, struct.pack("<I", len(payload) | type << 24) + payload)
    for slot in 0, 512:
        put("HEAD", "<Q", slot + 24, size)
        put("HEAD", "<Q", slot + 32, position & 0x3FFFFFFF)
        put("HEAD", "<Q", slot + 40, chain)
        with open("HEAD", "rb") as file:
            data = file.read()
        put("HEAD", "<I", slot + 60, crc(crc(0, header.id), data[slot : slot + 60]))


def main():
    change, path, *numbers = sys.argv[1:]
    first, second = ([int(number) for number in numbers] + [0, 0])[:2]
    if change == "parent":
        # What a fork shares, in a journal that is none.
        put(path, "<Q", 64, first)
        seal(path, 0, os.path.getsize(path) - 4)
    elif change == "newer":
        put(path, "<I", 64, 1 << 7)
        seal(path, 0, 68)
    elif change == "chain":
        put(path, "<I", 56, first)
        seal(path, 0, 68)
    else:
        forge_frames(change, path, first, second)


if __name__ == "__main__":
    main()
