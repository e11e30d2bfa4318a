"""The objects of a journal's files, as the page FileFormat.md describes them, for read_journal.py."""

import hashlib
import struct
import zlib
from dataclasses import dataclass, field
from zlib import crc32

EVENT, ANCHOR, MARK, FOOTER, CATALOG = 1, 2, 3, 4, 5
MINIMUM_PAYLOAD = {EVENT: 0, ANCHOR: 72, MARK: 16, FOOTER: 80, CATALOG: 8}
MAGIC = {name: b"\x8aPJ" + name + b"\r\n\x1a\n" for name in (b"J", b"S", b"T", b"H", b"C", b"K", b"F")}
MAXIMUM_PAYLOAD = 8_388_608
MAXIMUM_BATCH, MAXIMUM_BATCH_LENGTH = 65_536, 16_777_216
MAXIMUM_CATALOG = 1_048_576
KEEPS_DIGEST = 1
SALVAGED, END_UNKNOWN, RECORDS_BEGINNING = 2, 2 | 4, 8
UNFINISHED, NAMES_DOMAIN = 1, 2
HEAD_UNFINISHED = 4
NAME_STEP = 1 << 40
NUMBER_LIMIT = 1 << 63


class Damaged(Exception):
    """Bytes that do not verify."""


class Unsupported(Exception):
    """A version or a feature that this reader does not know."""


def crc(start, data):
    return crc32(data, start)


# Objects: versioned headers, JOURNAL, segment headers, HEAD, checkpoints.


def versioned_header(data, magic, sizes, flags_known):
    """The header's bytes and its compatible flags, judged in the order of the page; `sizes` are those of versions 1.0 and 1.1."""
    if len(data) < sizes[0] or data[:8] != magic:
        raise Damaged("it is too short or begins with other bytes")
    major, minor, size, compatible, incompatible = struct.unpack_from("<HHIII", data, 8)
    if not sizes[minor > 0] <= size <= 4096 or size % 8 or size > len(data):
        raise Damaged(f"its header cannot be {size} bytes long")
    if crc(0, data[: size - 4]) != struct.unpack_from("<I", data, size - 4)[0]:
        raise Damaged("the checksum of its header is wrong")
    if major != 1:
        raise Unsupported(f"its format has version {major}")
    if incompatible & ~flags_known:
        raise Unsupported(f"it uses features that version 1.1 does not have: {incompatible:#x}")
    return data[:size], compatible


def domain_name(header, place):
    """The domain that a header names, or None; headers of version 1.0 name none."""
    minor, incompatible = struct.unpack_from("<H8xI", header, 10)
    name = header[place : place + 64].rstrip(b"\0") if minor else b""
    if bool(incompatible & NAMES_DOMAIN) != bool(name) or len(name) > 63 or name.strip(b"abcdefghijklmnopqrstuvwxyz0123456789.-"):
        raise Damaged("its domain's name is not one")
    return name.decode() or None


def small_header(data, magic, size, stated, flags):
    """Whether a header of KEPT, a checkpoint or KEYFRAMES verifies; one of a later version is told apart."""
    if len(data) < size or data[:8] != magic or crc(0, data[: size - 4]) != struct.unpack_from("<I", data, size - 4)[0]:
        raise Damaged("its header does not verify")
    major, _, says = struct.unpack_from("<HHI", data, 8)
    if major != 1:
        raise Unsupported(f"its format has version {major}")
    if struct.unpack_from("<I", data, flags)[0]:
        raise Unsupported("it uses features that version 1.1 does not have")
    if says != stated:
        raise Damaged("its header does not verify")


@dataclass
class Identity:
    """What the file JOURNAL says; where a fork leaves its parent is not known without it."""

    id: bytes
    shared: 'int | None'
    chain: 'int | None'
    created: int = 0
    last_known: 'int | None' = None
    is_unfinished: bool = False
    domain: 'str | None' = None
    is_salvaged: bool = False
    lost_before: 'list | None' = None


def read_identity(data):
    header, flags = versioned_header(data, MAGIC[b"J"], (96, 160), UNFINISHED | NAMES_DOMAIN)
    if len(data) != len(header):
        raise Damaged("it is longer than its header")
    shared, chain, last_known = struct.unpack_from("<QIQ", header, 64)
    if not any(header[48:64]):
        # What is said of a parent means nothing without one.
        shared, chain = 0, 0
    if shared >= NUMBER_LIMIT:
        raise Damaged("its parent has no possible number")
    domain = domain_name(header, 92)
    created, = struct.unpack_from("<q", header, 40)
    incompatible, = struct.unpack_from("<I", header, 20)
    lost_before = None
    if flags & RECORDS_BEGINNING and any(header[48:64]) and len(header) >= 160:
        lost_before = lost_stretches(header, shared)
    return Identity(
        header[24:40], shared, chain, created, last_known if flags & END_UNKNOWN == END_UNKNOWN else None,
        bool(incompatible & UNFINISHED), domain, bool(flags & SALVAGED), lost_before)


def lost_stretches(header, shared):
    """The stretches of events before the first one that are lost."""
    count, = struct.unpack_from("<I", header, 84)
    if 160 + 16 * count > len(header):
        raise Damaged("the events that it calls lost are not possible")
    stretches, last = [], 0
    for place in range(156, 156 + 16 * count, 16):
        first, end = struct.unpack_from("<QQ", header, place)
        if not last < first <= end <= shared:
            raise Damaged("the events that it calls lost are not possible")
        stretches.append([first, end])
        last = end
    return stretches


def claimed_domain(data, magic, sizes, offset):
    """The journal and the domain that the bytes of a damaged header name; None where they do not fit each other."""
    if len(data) < sizes[0] or data[:8] != magic:
        return None
    major, minor, size = struct.unpack_from("<HHI", data, 8)
    if major != 1 or size != sizes[minor > 0] or len(data) < size:
        return None
    try:
        return data[24:40], domain_name(data, offset)
    except Damaged:
        return None


def nearest(bits, first):
    """The sequence with these low 30 bits that is nearest to the one in a name."""
    ahead = (bits - first) & 0x3FFFFFFF
    behind = (1 << 30) - ahead
    is_before = behind < first and (behind < ahead or first + ahead > NUMBER_LIMIT)
    return first - behind if is_before else first + ahead


def stated_number(name):
    """The number in the name of a segment; 0 where it says none."""
    return int(name[21:-4] or 0)


def fits(name, ordinal):
    """Whether the name states no number, this one, or this one with steps that a writer adds for a moment."""
    stated = stated_number(name)
    return stated == 0 or stated >= ordinal and (stated - ordinal) % NAME_STEP == 0


@dataclass
class Segment:
    """A segment's header, as it verifies or as it was found out from its neighbors."""

    name: str
    ordinal: int
    first: int
    id: bytes = b""
    size: int = 224
    chain: 'int | None' = None
    before: int = 0
    valid: int = 0
    durable: int = 0
    digest: 'bytes | None' = None
    created: int = 0
    count_before: int = 0
    catalog: 'bytes | None' = None
    domain: 'str | None' = None
    verifies: bool = True
    is_guess: bool = False  # Neither a header nor a frame says which segment it is.
    is_proven: bool = False  # A frame says so, where the header does not verify.
    knows_start: bool = True  # More than the name says with which event it begins.

    @property
    def stated(self):
        """The number in the name; 0 where it says none."""
        return stated_number(self.name)

    @property
    def has_its_number(self):
        return fits(self.name, self.ordinal)

    @property
    def is_named_right(self):
        return self.verifies and int(self.name[:20]) == self.first and self.has_its_number

    @property
    def rank(self):
        """Which of several files with one number is taken: the highest, and of equals the first."""
        if self.is_named_right:
            return 3 if self.stated == self.ordinal else 2
        return 1 if self.verifies or self.is_proven else 0

    @property
    def seed(self):
        return crc(crc(0, self.id), struct.pack("<Q", self.ordinal))


def read_segment_header(name, data):
    header, flags = versioned_header(data, MAGIC[b"S"], (128, 224), NAMES_DOMAIN)
    ordinal, first, chain, before = struct.unpack_from("<QQIB", header, 40)
    if not (0 < ordinal < NUMBER_LIMIT and 0 < first <= NUMBER_LIMIT):
        raise Damaged("its header has no possible number")
    valid, durable = struct.unpack_from("<QQ", header, 64)
    created, = struct.unpack_from("<q", header, 80)
    digest = header[88:120] if flags & KEEPS_DIGEST else None
    count, = struct.unpack_from("<I", header, 120)
    domain = domain_name(header, 156)
    has_catalog = struct.unpack_from("<H", header, 10)[0] > 0 and any(header[124:156])
    catalog = header[124:156] if has_catalog else None
    return Segment(
        name, ordinal, first, header[24:40], len(header), chain, before, valid, durable, digest, created, count,
        catalog, domain)


@dataclass
class Receipt:
    """A valid slot of HEAD."""

    generation: int = 0
    ordinal: int = 0
    offset: int = 0
    sequence: int = 0
    chain: int = 0
    flags: int = 0


def read_head(data, id):
    """The valid receipts, what is wrong (from, to, cause), and the verdict on that."""
    receipts, troubles, verdict = [], [], "torn"
    for offset, parity in ((0, 0), (512, 1)):
        slot = data[offset : offset + 64]
        if len(slot) == 64 and slot[:8] == MAGIC[b"H"]:
            receipt = Receipt(*struct.unpack_from("<QQQQII", slot, 8))
            check, = struct.unpack_from("<I", slot, 60)
            possible = max(receipt.generation, receipt.ordinal, receipt.sequence) < NUMBER_LIMIT
            if crc(crc(0, id), slot[:60]) == check and possible and receipt.generation > 0:
                if struct.unpack_from("<I", slot, 48)[0]:
                    raise Unsupported("HEAD: it uses features that version 1.1 does not have")
                if receipt.generation % 2 == parity:
                    receipts.append(receipt)
                else:
                    verdict = "unsyncedGap"
                    troubles.append((offset, offset + 64, f"the receipt at byte {offset} belongs to the other slot"))
                continue
        troubles.append((offset, offset + 64, f"the slot at byte {offset} does not verify"))
        verdict = verdict if len(slot) == 64 else "indexDamaged"
    if any(data[64:512]):
        troubles.append((64, 512, "the bytes between the slots are not zero"))
    if len(data) > 576:
        troubles.append((576, len(data), "there are bytes behind its end"))
    if len(troubles) != 1 or troubles[0][0] not in (0, 512) or not receipts or receipts[0].flags & 1:
        verdict = "indexDamaged"
    return receipts, troubles, verdict


def named_id(data, magic, size, stated, flags):
    """The journal that a header names which verifies, even one of a later version."""
    try:
        small_header(data, magic, size, stated, flags)
    except Damaged:
        return None
    except Unsupported:
        pass
    return data[16:32]


def checkpoint_id(data):
    return named_id(data, MAGIC[b"C"], 72, 72, 64)


def kept_id(data):
    return named_id(data, MAGIC[b"K"], 72, 72, 64)


def keyframes_id(data):
    """The journal that the first page of KEYFRAMES names, when its header verifies."""
    try:
        small_header(data, MAGIC[b"F"], 80, 4096, 68)
    except (Damaged, Unsupported):
        return None
    return data[16:32] if struct.unpack_from("<QQ", data, 32) == (0, 0) else None


def read_checkpoint(data, identity):
    """The sequence of a checkpoint, the ordinal of the segment that was the last one, and the chain value there."""
    try:
        small_header(data, MAGIC[b"C"], 72, 72, 64)
    except Unsupported:
        # Whatever a newer program wrote there, it is not of this journal.
        if data[16:32] != identity.id:
            raise Damaged("it is of another journal") from None
        raise
    sequence, ordinal, length, chain, body = struct.unpack_from("<QQQII", data, 32)
    if max(sequence, ordinal) >= NUMBER_LIMIT:
        raise Damaged("its header has no possible number")
    if length > 1 << 30:
        raise Damaged("its body is longer than a checkpoint's can be")
    if data[16:32] != identity.id or len(data) - 72 != length or crc(0, data[72:]) != body:
        raise Damaged("its body does not verify")
    return sequence, ordinal, chain


@dataclass
class Kept:
    """What KEPT says: where the journal begins since earlier events were retired."""

    ordinal: int
    first: int
    checkpoint: int
    chain: int


def read_kept(data, identity):
    try:
        small_header(data, MAGIC[b"K"], 72, 72, 64)
    except Unsupported as trouble:
        if data[16:32] == identity.id:
            raise Unsupported(f"KEPT: {trouble}") from None
    kept = Kept(*struct.unpack_from("<QQQI", data, 32))
    possible = all(0 < number < NUMBER_LIMIT for number in (kept.ordinal, kept.first, kept.checkpoint))
    if len(data) != 72 or data[16:32] != identity.id or not possible:
        raise Damaged("it does not verify")
    return kept


# Frames.


@dataclass
class Frame:
    """A frame that verifies."""

    offset: int
    end: int
    type: int
    position: int
    previous: int
    after: int
    content: bytes = field(repr=False)

    @property
    def payload(self):
        return self.content[4:]

    @property
    def is_last_of_batch(self):
        return bool(self.position >> 30 & 1)

    @property
    def is_durable_before(self):
        return bool(self.position >> 31)

    def sequence(self, last):
        """The full number of the sequence in the position word, counted on from `last`."""
        return last + ((self.position - last) & 0x3FFFFFFF)


def frame_at(data, offset, limit, seed):
    """The frame at `offset`, or None when none verifies there before `limit`."""
    if offset + 16 > limit:
        return None
    check, position, previous, kind = struct.unpack_from("<IIII", data, offset)
    length, type = kind & 0xFFFFFF, kind >> 24
    content_end = offset + 16 + length
    end = (content_end + 7) & ~7
    if not 1 <= type <= 63 or length > MAXIMUM_PAYLOAD or end > limit:
        return None
    content = data[offset + 12 : content_end]
    after = crc(previous, content)
    if crc(seed, struct.pack("<QII", offset, position, after)) != check or any(data[content_end:end]):
        return None
    return Frame(offset, end, type, position, previous, after, content)


def segment_seed(id, ordinal):
    return crc(crc(0, id), struct.pack("<Q", ordinal))


def header_size(data, frame=NUMBER_LIMIT):
    """The size of a header that does not verify, before a frame; those of version 1.0 begin earlier."""
    return 128 if data[12:16] == struct.pack("<I", 128) or frame < 224 else 224


def first_frame(data, seeds, first=None, least=1):
    """The first frame behind a header that verifies under one of these seeds, and that seed.

    With `first` it is one whose number fits a file that begins with that event, and with `least` it is followed by others of
    its seed, so many in all.
    """
    budget = 16 * len(data) + 1_048_576
    found = {}
    for offset in range(128, len(data) - 15, 8):
        kind, = struct.unpack_from("<I", data, offset + 12)
        type, length = kind >> 24, kind & 0xFFFFFF
        if type not in MINIMUM_PAYLOAD or length > MAXIMUM_PAYLOAD or offset + 16 + length > len(data):
            continue
        budget -= 16 + length
        if budget < 0:
            break
        for seed in seeds:
            frame = frame_at(data, offset, len(data), seed)
            ahead = frame and first is not None and (frame.position - first + (frame.type != EVENT)) & 0x3FFFFFFF
            if frame and ahead <= (offset - header_size(data, offset)) // 16:
                frames = found.setdefault(seed, [])
                frames.append(frame)
                if len(frames) == least:
                    return frames[0], seed
    return None, None


class Scan:
    """Goes through a segment's frames one after another, as far as they continue the history."""

    def __init__(self, data, offset, limit, seed, sequence, chain=0, allowed=1 << 64):
        self.data, self.limit, self.seed, self.allowed = data, limit, seed, allowed
        self.offset, self.sequence, self.chain = offset, sequence, chain
        # A crafted file could otherwise make every eight bytes claim a checksum over megabytes.
        self.budget = 16 * len(data) + 1_048_576
        self.settle()

    def settle(self):
        """No batch is open here."""
        self.settled, self.events = (self.offset, self.sequence, self.chain), 0

    def frame(self):
        """The frame that verifies here, or None."""
        return frame_at(self.data, self.offset, self.limit, self.seed)

    def continues(self, frame):
        """Whether a frame that verifies here has the next number and chain value, and its batch has room for it."""
        if frame.previous != self.chain or (frame.position - self.sequence - (frame.type == EVENT)) & 0x3FFFFFFF:
            return False
        if frame.type != EVENT:
            return not self.events
        length = frame.end - self.settled[0]
        return self.sequence < self.allowed and self.events < MAXIMUM_BATCH and length <= MAXIMUM_BATCH_LENGTH

    def take(self):
        """Goes behind the frame here and returns it; None where none continues the history."""
        frame = self.frame()
        if not frame or not self.continues(frame):
            return None
        self.offset = frame.end
        if frame.type == EVENT:
            self.sequence, self.chain, self.events = self.sequence + 1, frame.after, self.events + 1
        if frame.type != EVENT or frame.is_last_of_batch:
            self.settle()
        return frame

    def find(self, skipped=0):
        """Ends a hole that begins here: goes to the next frame, maybe this one, that verifies and has a possible sequence.

        Returns that frame, which is read next; None, and stays, where there is none.
        """
        hole = self.offset
        for offset in range(hole + skipped, self.limit - 15, 8):
            position, _, kind = struct.unpack_from("<III", self.data, offset + 4)
            type, length = kind >> 24, kind & 0xFFFFFF
            if not is_readable(type) or length > MAXIMUM_PAYLOAD or offset + 16 + length > self.limit:
                continue
            ahead, most = (position - self.sequence) & 0x3FFFFFFF, (offset - hole) // 16
            if not (1 <= ahead <= most + 1 if type == EVENT else ahead <= most) or self.sequence + ahead > self.allowed:
                continue
            self.budget -= 16 + length
            if self.budget < 0:
                return None
            frame = frame_at(self.data, offset, self.limit, self.seed)
            if frame and not is_moved(self.data, frame, self.limit, self.seed):
                self.offset, self.sequence, self.chain = offset, self.sequence + ahead - (type == EVENT), frame.previous
                self.settle()
                return frame
        return None

    def skip_catalog(self):
        """Goes behind a catalogue that the header states and that does not verify; returns whether it was one."""
        frame = self.frame()
        if frame and frame.type == CATALOG and self.continues(frame):
            return False
        start, found = self.settled, self.find(8)
        if found and self.settled[1:] == start[1:]:
            return True
        self.offset, self.sequence, self.chain = start
        if self.offset + 16 <= self.limit:
            kind, = struct.unpack_from("<I", self.data, self.offset + 12)
            end = min(self.offset + (16 + (kind & 0xFFFFFF) + 7 & ~7), self.limit)
            if kind >> 24 == CATALOG and kind & 0xFFFFFF <= MAXIMUM_PAYLOAD and not (found and found.offset < end):
                self.offset = end
        self.settle()
        return True


def is_readable(type):
    """Whether frames of a type are known, or may be skipped."""
    return type in MINIMUM_PAYLOAD or 32 <= type < 64


def scan_segment(data, segment, limit=None, chain=None, allowed=1 << 64):
    """A scan from a segment's first frame, and where a catalogue ends that does not verify."""
    limit, chain = len(data) if limit is None else limit, segment.chain if chain is None else chain
    scan = Scan(data, segment.size, limit, segment.seed, segment.first - 1, chain or 0, allowed)
    is_lost = segment.verifies and segment.catalog is not None and scan.skip_catalog()
    return scan, scan.offset if is_lost else None


def is_moved(data, event, limit, seed):
    """Whether the frame behind an event tells that both were written elsewhere, and a flipped bit outweighs that."""
    if event.type != EVENT or limit - event.end < 16:
        return False
    previous, kind = struct.unpack_from("<II", data, event.end + 8)
    if not 0 < kind >> 24 < 64 or kind & 0xFFFFFF > MAXIMUM_PAYLOAD or previous == event.after:
        return False
    state = ~struct.unpack_from("<I", data, event.offset)[0] & 0xFFFFFFFF
    for byte in reversed(struct.pack("<QII", 0, event.position, previous)):
        for _ in range(8):
            state = (state ^ 0xEDB88320) << 1 | 1 if state & 0x80000000 else state << 1
            state &= 0xFFFFFFFF
        state ^= byte
    written = (~state & 0xFFFFFFFF) ^ seed
    return written != event.offset and written < limit and written % 512 == event.offset % 512


# Catalogues.


def inflate_catalog(payload):
    """The catalogue in a CATALOG frame, or None when the frame does not hold one."""
    if len(payload) < 8:
        return None
    size, zero = struct.unpack_from("<II", payload)
    if size > MAXIMUM_CATALOG or zero:
        return None
    stream = zlib.decompressobj()
    try:
        catalog = stream.decompress(payload[8:], size + 1)
    except zlib.error:
        return None
    is_whole = len(catalog) == size and stream.eof and not stream.unused_data
    return catalog if is_whole else None


def read_catalog(payload):
    """The SHA-256 of the catalogue in a CATALOG frame, or None when the frame does not hold one."""
    catalog = inflate_catalog(payload)
    return None if catalog is None else hashlib.sha256(catalog).digest()
