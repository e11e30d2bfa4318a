#!/usr/bin/env python3
"""Reads a journal without any code of PolicyJournal, and prints one JSON object a line for each event.

Usage: tools/read_journal.py JOURNAL [--schema FILE | --by-catalog] [--export]

Written from published descriptions only: Sources/Journal/Journal.docc/FileFormat.md for the files,
Sources/AppProtection/policyjournal.proto for the payloads of app protection, and
Sources/EventSourcing/EventSourcing.docc/Catalogs.md for the catalogues that describe those of any other domain. Sections
and names here are those of the first. The first record, of the kind "journal", names the domain. What follows of an event
is what 'pj log -j --reveal' prints, without what only the rules of the domain can tell ('changes', 'findings') and what
belongs to filters ('match'). Damage is a record of the kind "finding".

Exit codes: 0 sound, 3 damaged or incomplete, 4 unreadable, 5 needs a newer reader.
"""

import argparse
import hashlib
import json
import os
import re
import stat
import struct
import sys
from typing import NamedTuple

sys.dont_write_bytecode = True  # Reading leaves nothing behind.
sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from journal_format import (  # noqa: E402
    ANCHOR, CATALOG, EVENT, FOOTER, HEAD_UNFINISHED, KEEPS_DIGEST, MAGIC, MARK, MINIMUM_PAYLOAD, NAME_STEP, NUMBER_LIMIT,
    Damaged, Identity, Receipt, Scan, Segment, Unsupported, checkpoint_id, crc, first_frame, fits, frame_at,
    claimed_domain, header_size, inflate_catalog, is_readable, kept_id, keyframes_id, nearest, read_catalog,
    read_checkpoint, read_head, read_identity, read_kept, read_segment_header, scan_segment, segment_seed, stated_number,
)
from journal_export import read_export  # noqa: E402
from journal_payloads import (  # noqa: E402
    Schema, contradicts, decode_event, misfit, must_understand, read_catalog_schema, read_schema,
)

OWN_DOMAIN = "app-protection"
DAMAGE = {"damaged", "tailLost", "indexDamaged"}


def finding(verdict, file, start, end, cause, lost=None):
    return {
        "kind": "finding", "verdict": verdict, "isDamage": verdict in DAMAGE, "file": file,
        "from": start, "to": end, "lostEvents": lost, "cause": cause,
    }


class Lost(NamedTuple):
    """Events in a row whose places a salvage kept."""

    first: int
    last: int
    file: str
    offset: int

    def finding(self):
        cause = "an event without a payload keeps the place of each: lost before this journal was salvaged"
        return finding("lost", self.file, self.offset, self.offset, cause, [self.first, self.last])


def is_loss(item):
    """Whether a finding tells more than an unfinished write."""
    return item["isDamage"] or item["verdict"] == "lost"


def join_lost(items):
    """Tells lost events in a row as one finding, in their place."""
    lost = None
    for item in items:
        if lost and isinstance(item, Lost) and item.first == lost.last + 1:
            lost = lost._replace(last=item.last)
            continue
        if lost:
            yield lost.finding()
        lost = item if isinstance(item, Lost) else None
        if not lost:
            yield item
    if lost:
        yield lost.finding()


# Reading and recovery.


def segment_name(name):
    """The first sequence and the ordinal in a segment's name, 0 where it says none; None for any other name."""
    match = re.fullmatch(r"([0-9]{20})(?:-([0-9]{10,}))?\.seg", name)
    if not match:
        return None
    first, ordinal = int(match[1]), int(match[2] or 0)
    is_plain = not match[2] or (0 < ordinal < NUMBER_LIMIT and match[2] == f"{ordinal:010}")
    return (first, ordinal) if 0 < first <= NUMBER_LIMIT and is_plain else None


class Reader:
    """Reads a journal beyond damage; what it yields is (sequence, chain, payload), the place of an event that was lost
    before the journal was salvaged (FileFormat.md, "Salvage"), or a finding."""

    def __init__(self, path):
        self.lost_catalogs = set()  # By their SHA-256.
        self.path = path
        # A link that leads to nothing is no file.
        names = sorted(name for name in os.listdir(path) if os.path.exists(os.path.join(path, name)))
        journal = self.load("JOURNAL") if "JOURNAL" in names else b""
        self.all_names = names
        head = self.load("HEAD") if "HEAD" in names else b""
        self.names = sorted((name for name in names if segment_name(name)), key=segment_name)
        self.early = []  # Findings about files, told before the events.
        self.faults = {}  # Those of them about headers, by file: where a header ends shows when a frame is found.
        for name in names:
            if name.endswith(".seg") and not name.startswith(".") and not segment_name(name):
                self.early.append(finding("indexDamaged", name, 0, 0, "this is not a segment's name"))
        if "JOURNAL" not in names and not self.names:
            raise FileNotFoundError("this is no journal: there is no file JOURNAL and no segment")
        self.is_domain_unknown = False  # Nothing that is left says whose events they are.
        self.identity = self.identify(journal, head)
        self.slots, troubles, verdict = read_head(head, self.identity.id)
        if self.identity.is_unfinished or any(receipt.flags & HEAD_UNFINISHED for receipt in self.slots):
            raise Damaged("the command that writes this journal has not finished it")
        self.head = max(self.slots, key=lambda receipt: receipt.generation, default=Receipt())
        self.named = (0, "")  # What the name of a file that may be no segment says was durable.
        self.segments = self.complete(*self.refuse([self.header(name) for name in self.names]))
        self.kept, self.is_start_unknown = None, False
        if "KEPT" in names:
            self.read_kept()
        self.segments = self.leave_out(self.segments)
        if "HEAD" not in names:
            # Without a segment, the journal was not complete when its writer was stopped.
            troubles = [(0, 0, "the file is missing")] if self.names else []
        elif not self.is_file("HEAD"):
            troubles, verdict = [(0, 0, "it is not a regular file")], "indexDamaged"
        self.early += [finding(verdict, "HEAD", *trouble) for trouble in troubles]
        if self.is_overruled(self.head.ordinal, self.head.sequence):
            self.head = Receipt()
        self.places, self.checkpointed = {}, []
        self.made_from = {}  # The checkpoints of each event: their names and chain values.
        if self.head.generation:
            self.places[self.head.sequence] = self.head.chain
        self.checkpoints = self.read_checkpoints(names)
        self.place_guesses()
        self.claims = max((self.checkpoints, f"{self.checkpoints:020}.ckpt"), self.named, key=lambda claim: claim[0])

    def read_kept(self):
        """Leaves out what was retired; without a KEPT that verifies nobody knows where the journal begins."""
        try:
            self.kept = read_kept(self.load("KEPT"), self.identity)
            if self.segments and all(segment.ordinal < self.kept.ordinal for segment in self.segments):
                raise Damaged("there is no segment like the one that it calls the first")
        except Damaged as damage:
            self.kept, self.is_start_unknown = None, True
            self.early.append(finding("indexDamaged", "KEPT", 0, 72, str(damage)))
            return
        for segment in self.segments:
            if segment.ordinal < self.kept.ordinal:
                self.forget_fault(segment)
        self.segments = [segment for segment in self.segments if segment.ordinal >= self.kept.ordinal]

    def forget_fault(self, segment):
        """Takes back what is wrong with the header of a segment that does not count."""
        self.early = [item for item in self.early if item is not self.faults.get(segment.name)]

    def is_file(self, name):
        return stat.S_ISREG(os.stat(os.path.join(self.path, name)).st_mode)

    def load(self, name):
        """The bytes of a file; something else than a regular file has none, and is not waited for."""
        if not self.is_file(name):
            return b""
        with open(os.path.join(self.path, name), "rb") as file:
            return file.read()

    def identify(self, journal, head):
        """What JOURNAL says, unless other files outvote it; without it the journal that most of them name."""
        try:
            identity, trouble = read_identity(journal), None
        except Unsupported as trouble:
            raise Unsupported(f"JOURNAL: {trouble}") from None
        except Damaged as damage:
            identity, trouble = None, str(damage)
        headers = list(self.sound_headers())
        agrees = identity and all(header.id == identity.id for header in headers[:1] + headers[-1:])
        if agrees and (not head or read_head(head, identity.id)[0]):
            return identity
        votes = {}
        others = [header.id for header in headers if header.is_named_right] + [
            checkpoint_id(self.load(name)) for name in self.all_names if re.fullmatch(r"\d{20}\.ckpt", name)]
        if "KEPT" in self.all_names:
            others.append(kept_id(self.load("KEPT")))
        if "KEYFRAMES" in self.all_names:
            others.append(keyframes_id(self.load("KEYFRAMES")[:80]))
        for id in others + ([identity.id] if identity else []):
            if id:
                votes[id] = votes.get(id, 0) + 1
        for header in headers:
            votes.setdefault(header.id, 0)
        if not votes:
            raise Damaged("neither JOURNAL nor a segment says which journal this is")
        for id in votes:
            votes[id] += bool(read_head(head, id)[0])
        rivals = [id for id in votes if votes[id] == max(votes.values())]
        if len(rivals) > 1:
            rivals.sort(key=lambda id: (-self.count_frames(id, headers, rivals), not identity or id != identity.id))
        elected = rivals[0]
        if identity and elected == identity.id:
            return identity
        self.early.append(
            finding("indexDamaged", "JOURNAL", 0, len(journal), trouble or "the other files are of another journal"))
        header = next((header for header in headers if header.id == elected), None)
        if header:
            return Identity(elected, None, None, header.created, domain=header.domain)
        claims = [] if identity else [claimed_domain(journal, MAGIC[b"J"], (96, 160), 92)]
        claims += [claimed_domain(self.load(name)[:224], MAGIC[b"S"], (128, 224), 156) for name in self.names]
        domains = {claim[1] for claim in claims if claim and claim[0] == elected}
        if len(domains) != 1:
            self.is_domain_unknown = True
        return Identity(elected, None, None, 0, domain=domains.pop() if len(domains) == 1 else None)

    def count_frames(self, id, headers, rivals):
        """How many frames of the first four segments verify as one journal's."""
        count = 0
        for name in self.names[:4]:
            data = self.load(name)
            seeds = [segment_seed(id, ordinal) for ordinal in range(1, 65)]
            seeds += [header.seed for header in headers if header.id == id]
            frame, seed = first_frame(data, seeds)
            scan = Scan(data, 0, len(data), seed, 0)
            while frame:
                count += 1
                scan.offset, scan.sequence = frame.end, frame.sequence(0)
                frame = scan.frame() or scan.find()
        return count

    def sound_headers(self):
        """The segment headers that verify, of whatever journal."""
        for name in self.names:
            try:
                yield read_segment_header(name, self.load(name))
            except (Damaged, Unsupported):
                continue

    def header(self, name):
        """A segment's header, or None when it does not verify as one of this journal."""
        start = self.load(name)[:4096]
        try:
            header = read_segment_header(name, start)
            if header.id != self.identity.id:
                raise Damaged("the segment belongs to another journal")
        except Unsupported as trouble:
            raise Unsupported(f"{name}: {trouble}") from None
        except Damaged as damage:
            self.faults[name] = finding("indexDamaged", name, 0, min(header_size(start), len(start)), str(damage))
            self.early.append(self.faults[name])
            return None
        return header

    def refuse(self, headers):
        """Takes a header for damaged that is another file's, in the one whose name it does not fit, when exactly that file's
        own number is missing; with the number in each header that is refused."""
        owners = {header.ordinal for header in headers if header and header.is_named_right}
        numbers = {header.ordinal for header in headers if header}
        bare, after = {}, [None] * len(headers)
        for name, header in zip(self.names, headers):
            if not header and self.is_file(name):
                bare.setdefault(int(name[:20]), name)
        for index in reversed(range(len(headers) - 1)):
            known = headers[index + 1].ordinal if headers[index + 1] else after[index + 1]
            after[index] = known - 1 if known and known > 1 else None
        last, refused, before = max([self.head.ordinal, *numbers]), {}, 0
        for index, header in enumerate(headers):
            if header and not header.is_named_right:
                places = [header.stated] if header.stated else [before + 1, after[index]]
                own = next((place for place in places if place and place not in numbers), None)
                name = bare.get(header.first)
                has_owner = header.ordinal in owners or (own and name and fits(name, header.ordinal)
                    and self.has_frames(name, header.ordinal))
                # Of a segment that no other file speaks for, or of a later one than any that is known, its own frames must tell.
                if own and ((has_owner and own <= last) or self.has_frames(header.name, own)):
                    headers[index], refused[header.name] = None, header.ordinal
                    cause = f"its header is that of segment {header.ordinal}"
                    self.faults[header.name] = finding("indexDamaged", header.name, 0, header.size, cause)
                    self.early.append(self.faults[header.name])
            before = headers[index].ordinal if headers[index] else before + 1
        return headers, refused

    def has_frames(self, name, ordinal):
        """Whether two frames of a segment stand in a file: a flipped bit may have turned a single one into that."""
        return first_frame(self.load(name), [segment_seed(self.identity.id, ordinal)], int(name[:20]), 2)[0] is not None

    def complete(self, headers, refused):
        """Takes a header that does not verify from the names and the neighbors; a frame proves it."""
        segments, before = [], None
        highest = max((header.ordinal for header in headers if header), default=0)
        afters, after = [None] * len(headers), None
        for index in reversed(range(len(headers))):
            afters[index] = after
            after = (index, headers[index].ordinal) if headers[index] else after
        for index, name in enumerate(self.names):
            if headers[index]:
                segments.append(headers[index])
                before = headers[index].ordinal
                continue
            after = afters[index]
            stated = stated_number(name)
            first = int(name[:20])
            near = [stated, stated % NAME_STEP] if stated else []
            if before is not None:
                near.append(before + 1)
            if after and after[1] > after[0] - index:
                near.append(after[1] - (after[0] - index))
            near += [1] if before is None and first == 1 else []
            ordinals = near + [self.head.ordinal] + ([1] if before is None else [])
            data, frame = self.load(name), None
            for guesses, is_near, least in (near, 1, 1), (ordinals, 1, 1), (ordinals, 0, 1), (range(1, 65), 0, 2):
                seeds = {segment_seed(self.identity.id, ordinal): ordinal for ordinal in reversed(guesses)
                         if ordinal not in (0, refused.get(name))}
                if not frame:
                    frame, seed = first_frame(data, seeds, first if is_near else None, least)
                    proven = seeds[seed] if frame else None
            guesses = [ordinal for ordinal in ordinals if ordinal not in (0, refused.get(name))]
            room = self.room(max(before or 0, highest) if not after else before or 0, after and after[1])
            free = [ordinal for ordinal in guesses if ordinal in room]
            guess = next((ordinal for ordinal in free if fits(name, ordinal)), free[0] if free and before is None else None)
            segment = Segment(
                name, proven if frame else guess or 1, first, self.identity.id, verifies=False)
            segment.is_guess, segment.is_proven = not frame, bool(frame)
            segment.knows_start = bool(frame) and self.is_near(data, frame, first)
            pair = frame and first_frame(data, [segment.seed], None, 2)[0]
            start = pair or frame
            if frame:
                segment.size = header_size(data, min(start.offset, frame.offset))
                if name in self.faults:
                    self.faults[name]["to"] = min(segment.size, len(data))
            else:
                segment.size = header_size(data)
            if start and start.offset == segment.size:
                segment.chain = start.previous
                if pair and not self.is_near(data, start, first):
                    segment.first = nearest(start.position + (start.type != EVENT), first)
                    segment.knows_start = True
            is_vouched = before is None or segment.ordinal in room
            behind = headers[after[0]] if after and after[1] == segment.ordinal + 1 else None
            if behind and 0 <= behind.count_before < min(behind.first, 2**32 - 1):
                # That header counts the events of the segment before it.
                begun = behind.first - behind.count_before
                is_stated = bool(frame) or first == begun
                segment.first = begun if frame else first
                segment.is_guess, is_vouched = segment.is_guess and not is_stated, is_vouched and is_stated
                segment.knows_start = is_stated
            if frame or (is_vouched and self.is_file(name)):
                segments.append(segment)
                before = segment.ordinal
            else:
                # Nothing but the name calls it a segment: it limits nothing, but its name was not given for nothing.
                self.named = max(self.named, (segment.first - 1, name))
        return segments

    def room(self, before, after):
        """The numbers of segments that something speaks for besides the names."""
        if after:
            return range(before + 1, after)
        # A slot that does not verify may have named a later one, unless the journal was closed.
        is_whole = len(self.slots) == 2 or self.head.flags & 1
        return range(before + 1, self.head.ordinal + 1 if is_whole else NUMBER_LIMIT)

    @staticmethod
    def is_near(data, frame, first):
        """Whether the name's event and those behind it up to the frame have room before that."""
        return (frame.position - first + (frame.type != EVENT)) & 0x3FFFFFFF <= (
            frame.offset - header_size(data, frame.offset)) // 16

    def leave_out(self, segments):
        """One of each ordinal: the one whose name says it, else the one that is named as its header calls for, else the
        first whose header or frames say so, else the first."""
        chosen = {}
        for segment in segments:
            other = chosen.setdefault(segment.ordinal, segment)
            if segment.rank > other.rank:
                chosen[segment.ordinal] = segment
        for segment in segments:
            if chosen[segment.ordinal] is not segment:
                # That it is left out says enough.
                self.forget_fault(segment)
                cause = f"segment {segment.ordinal} is there already"
                self.early.append(finding("damaged", segment.name, 0, 0, cause))
        for segment in chosen.values():
            if segment.verifies and segment.first != int(segment.name[:20]):
                cause = f"it begins with event {segment.first}"
                self.early.append(finding("indexDamaged", segment.name, 48, 56, cause))
            elif segment.verifies and not segment.has_its_number:
                self.early.append(finding("indexDamaged", segment.name, 40, 48, f"it is segment {segment.ordinal}"))
        return sorted(chosen.values(), key=lambda segment: (segment.first, segment.ordinal))

    def place_guesses(self):
        """Puts files of which only the names say how they begin after what certainly stands before them."""
        before, end = None, None
        for segment in sorted(self.segments, key=lambda segment: segment.ordinal):
            if segment.knows_start:
                before, end = segment, None
            elif before and before.chain is not None:
                if end is None:
                    data = self.load(before.name)
                    end = self.sealed_end(before, data) or self.proven_end(before, None, data)
                if not self.is_overruled(before.ordinal, end):
                    segment.first = max(segment.first, end + 1)
        self.segments.sort(key=lambda segment: (segment.first, segment.ordinal))

    def catalog_digest(self, segment):
        """The SHA-256 of a segment's catalogue; None without one, and where nothing vouches for it."""
        if segment.verifies:
            return segment.catalog
        data = self.load(segment.name)
        catalog = self.catalog_in(segment)
        digest = catalog is not None and hashlib.sha256(catalog).digest()
        name = (self.identity.domain or "").encode()
        if digest and (digest in self.holders() or data[124:220] == digest + name.ljust(64, b"\0")):
            return digest
        return None

    def catalog(self, segment):
        """The catalogue of a segment's events, from it or from another one with the same; None where none can be read."""
        digest = self.catalog_digest(segment)
        if digest is None or digest in self.lost_catalogs:
            return None
        for other in [segment] + self.holders().get(digest, []):
            catalog = self.catalog_in(other)
            if catalog is not None and hashlib.sha256(catalog).digest() == digest:
                return catalog
        self.lost_catalogs.add(digest)
        return None

    def holders(self):
        """The segments whose headers state a catalogue, by its SHA-256."""
        found = {}
        for segment in self.segments:
            if segment.verifies and segment.catalog and segment.domain == self.identity.domain:
                found.setdefault(segment.catalog, []).append(segment)
        return found

    def catalog_in(self, segment):
        data = self.load(segment.name)
        frame = frame_at(data, segment.size, len(data), segment.seed)
        return inflate_catalog(frame.payload) if frame and frame.type == CATALOG else None

    def sealed_end(self, segment, data):
        """The last event of a sealed segment without a hole; 0 for any other."""
        if not self.is_sealed(segment, data):
            return 0
        scan, _ = scan_segment(data, segment)
        while frame := scan.take():
            if frame.type == FOOTER:
                sums = struct.unpack_from("<QQI", frame.payload.ljust(80, b"\0"))
                is_right = sums == (segment.first, scan.sequence + 1 - segment.first, scan.chain)
                return scan.sequence if is_right else 0
        return 0

    def is_overruled(self, ordinal, sequence):
        """Whether a later segment begins again at or before what a receipt or a checkpoint claims."""
        return any(
            other.ordinal > ordinal and other.first <= sequence for other in self.segments if other.knows_start)

    def read_checkpoints(self, names):
        """The greatest sequence that a checkpoint proves, unless a later segment overrules it."""
        proven, newest = 0, 0
        for name in names:
            if not re.fullmatch(r"\d{20}\.ckpt", name):
                continue
            data = self.load(name)
            try:
                sequence, ordinal, chain = read_checkpoint(data, self.identity)
            except Unsupported as trouble:
                # Only writers need what it holds. It may stand for the events before the first one.
                self.early.append(finding("unsupportedFormat", name, 0, 72, str(trouble)))
                newest = max(newest, int(name[:20]))
                continue
            except Damaged as damage:
                self.early.append(finding("indexDamaged", name, 0, min(len(data), 72), str(damage)))
                continue
            newest = max(newest, sequence)
            if name != f"{sequence:020}.ckpt":
                self.early.append(finding("indexDamaged", name, 32, 40, f"it is of event {sequence}"))
            self.places[sequence] = chain
            self.made_from.setdefault(sequence, []).append((name, chain))
            overruled = self.is_overruled(ordinal, sequence)
            self.checkpointed.append((ordinal, sequence, overruled))
            if not overruled:
                proven = max(proven, sequence)
        if self.kept and newest < self.kept.first - 1:
            cause = f"no checkpoint is left that stands for the events before {self.kept.first}"
            self.early.append(finding("damaged", f"{self.kept.checkpoint:020}.ckpt", 0, 0, cause))
        return proven

    @property
    def first_sequence(self):
        return self.segments[0].first if self.segments else 1

    def items(self):
        yield from self.early
        if not self.segments and not self.head.generation and not self.claims[0]:
            yield finding("unsyncedGap", "JOURNAL", 0, 0, "nothing tells whether there was ever anything else")
        claims = [(self.head.sequence, "HEAD")] if self.head.ordinal else []
        claims += [self.claims] if self.claims[0] else []
        if not self.segments and claims:
            claimed, file = max(claims, key=lambda claim: claim[0])
            first = self.kept.first if self.kept else (self.identity.shared or 0) + 1
            yield finding(
                "tailLost", file, 0, 0, "there is no segment", [first, claimed] if claimed >= first else None)
        if self.segments:
            self.begin(self.segments[0])
        ordinal = self.kept.ordinal - 1 if self.kept else 0
        if self.is_start_unknown and self.segments:
            ordinal = self.segments[0].ordinal - 1
        for index, segment in enumerate(self.segments):
            following = self.segments[index + 1] if index + 1 < len(self.segments) else None
            yield from self.enter(segment, ordinal + 1)
            if segment.verifies:
                yield from self.check_header(segment, self.segments[index - 1] if index else None)
            yield from self.read(segment, following)
            ordinal = segment.ordinal
        for lost in self.lost_before():
            name = self.segments[0].name if self.segments else ""
            yield finding("lost", name, 0, 0, "lost before the first event, as JOURNAL says", lost)
        last_known = self.identity.last_known
        begun = self.segments[-1].first - 1 if self.segments else 0
        if last_known is not None and max(self.head.sequence, begun, self.claims[0]) <= last_known:
            yield finding("lost", "JOURNAL", 76, 76, f"nobody knew when it was salvaged what was behind {last_known}")

    def lost_before(self):
        """The lost events before the first one; of a copy that does not say, all that KEPT does not call retired."""
        identity = self.identity
        if identity.lost_before is not None:
            return identity.lost_before
        return [[1, identity.shared]] if identity.is_salvaged and identity.shared and "KEPT" not in self.all_names else []

    def begin(self, first):
        """Where the history begins: before event 1, or where a fork leaves its parent."""
        self.sequence, self.chain, self.digest = self.identity.shared, self.identity.chain, bytes(32)
        if self.kept:
            self.sequence, self.chain, self.digest = self.kept.first - 1, self.kept.chain, first.digest
        elif self.sequence is None or self.is_start_unknown:
            self.sequence, self.chain, self.digest = first.first - 1, first.chain or 0, first.digest
        self.step, self.stepped = hashlib.sha256(self.digest or b""), 0
        self.is_loss_told = False

    def enter(self, segment, ordinal):
        """A segment must be the next one and continue the last one."""
        chain = self.chain if segment.chain is None else segment.chain
        is_next = (segment.ordinal, segment.first, chain) == (ordinal, self.sequence + 1, self.chain)
        if not is_next:
            lost = [self.sequence + 1, segment.first - 1] if segment.first > self.sequence + 1 else None
            if not self.is_loss_told:
                cause = f"segment {ordinal} should come here and continue event {self.sequence}"
                yield finding("damaged", segment.name, 0, 0, cause, lost)
        elif self.digest is not None:
            self.take_step()
            if segment.digest not in (None, self.digest):
                yield finding("indexDamaged", segment.name, 88, 120, "the history digest is another one")
        self.sequence, self.chain = segment.first - 1, chain
        self.digest, self.stepped = segment.digest, 0
        if self.digest is not None and segment.catalog:
            self.digest = hashlib.sha256(self.digest + segment.catalog).digest()
        self.step = hashlib.sha256(self.digest or b"")

    def check_header(self, segment, before):
        """What a header repeats of JOURNAL, and sums up of the segment before."""
        if segment.created != self.identity.created:
            yield finding("indexDamaged", segment.name, 80, 88, "its creation time is not that of JOURNAL")
        if segment.domain != self.identity.domain:
            yield finding("indexDamaged", segment.name, 156, 220, "its domain is not that of JOURNAL")
        if before and before.verifies and before.ordinal + 1 == segment.ordinal and segment.first >= before.first:
            if segment.count_before != min(segment.first - before.first, 2**32 - 1):
                yield finding("indexDamaged", segment.name, 120, 124, "it counts other events in the segment before")

    def take_step(self):
        """A step of the history digest; one without an event changes nothing."""
        if self.stepped and self.digest is not None:
            self.digest = self.step.digest()
            self.step, self.stepped = hashlib.sha256(self.digest), 0

    def read(self, segment, following):
        """Everything in one segment up to the valid length that the next one states, or the end of the file."""
        data, self.name, self.segment = self.load(segment.name), segment.name, segment
        stated = following if following and following.verifies and following.ordinal == segment.ordinal + 1 else None
        self.following, self.stated, self.is_loss_told, self.ahead = following, stated, False, None
        limit = min(len(data), stated.valid) if stated else len(data)
        rest, is_sealed = limit, False
        self.allowed, self.missing = self.extent(segment, following, data)
        self.held, block, ends_in_hole = [], [segment.size, 0], False
        self.scan, catalog_end = scan_segment(data, segment, limit, self.chain, self.allowed)
        scan = self.scan
        if catalog_end is not None:
            cause = "the catalogue of its events does not verify"
            yield finding("indexDamaged", segment.name, segment.size, catalog_end, cause)
            block, self.digest = None, None
        while True:
            start, frame = scan.settled[0], scan.take()
            self.sequence, self.chain = scan.sequence, scan.chain
            if not frame:
                # A batch that is cut is a hole, even where the data end.
                if not scan.events and not any(data[scan.offset : limit]):
                    break
                if not (yield from self.hole(data, segment, limit)):
                    ends_in_hole = True
                    break
                block = None
                continue
            if frame.type == EVENT:
                yield from self.event(frame, block)
                yield from self.check_claims(start, frame.end)
            elif frame.type == CATALOG and frame.offset == segment.size:
                if segment.verifies and read_catalog(frame.payload) != segment.catalog:
                    yield finding("indexDamaged", segment.name, frame.offset, frame.end, "the catalogue is another one")
            elif frame.type == CATALOG or not is_readable(frame.type):
                raise Unsupported(f"{segment.name}: byte {frame.offset}: a frame of type {frame.type}")
            elif frame.type == ANCHOR:
                yield from self.check_anchor(segment, data, frame, block)
                block = [frame.end, 0]
            elif frame.type == MARK:
                if self.is_wrong(frame, self.sequence):
                    yield finding("indexDamaged", segment.name, frame.offset, frame.end, "the mark is wrong")
            elif frame.type == FOOTER:
                scan.offset, is_sealed = yield from self.check_footer(segment, data[:limit], frame)
                rest = scan.offset
                break
        is_short = not ends_in_hole and (yield from self.boundary(segment, scan.offset))
        if stated and stated.before == 4:
            end = max(stated.valid, len(data.rstrip(b"\0")))
            yield finding("damaged", segment.name, stated.valid, end, "what followed was given up")
        elif any(data[rest:]) and not is_short:
            end = len(data.rstrip(b"\0"))
            verdict = "indexDamaged" if is_sealed or stated and stated.before == 1 else "torn"
            yield finding(verdict, segment.name, rest, end, "it stands after the end of the history")

    def event(self, frame, block):
        """An event is held back until one verifies that is the last of its batch."""
        self.step.update(frame.content)
        self.stepped += 1
        if block:
            block[1] += 1
        lost = Lost(self.sequence, self.sequence, self.name, frame.offset)
        self.held.append((self.sequence, self.chain, frame.payload) if frame.payload else lost)
        if frame.is_last_of_batch:
            yield from self.held
            self.held = []

    def hole(self, data, segment, limit):
        """The verdict on a hole where the scan is, by the table under Recovery; a batch that it cuts is part of it.

        Returns whether the scan goes on: it does not when what lies behind holds no whole batch and nothing was proven.
        """
        scan, place = self.scan, self.scan.offset
        start, sequence, chain = scan.settled
        proven = self.proof(segment, start)
        if not self.ahead:
            self.ahead = self.look_ahead(scan)
        durable, evidence, stranded = self.ahead
        proven = proven or durable > start and evidence
        here = (segment.ordinal, place, sequence, chain)
        is_closed = not self.following and not self.held and self.head.flags & 1 and here == (
            self.head.ordinal, self.head.offset, self.head.sequence, self.head.chain)
        if is_closed:
            proven = "HEAD says that the journal was closed here"
        is_read_on = not is_closed and (proven or stranded > self.sequence) and scan.find() is not None
        is_undecided = not is_read_on and self.undecided(data, segment, limit)
        if is_undecided:
            proven = f"segment {self.missing} is missing, which would say whether what verifies here was given up"
        if is_read_on:
            last, end, continues = scan.sequence, scan.offset, (scan.sequence, scan.chain) == (sequence, chain)
        else:
            last, end = self.claimed() if proven else 0, place + len(data[place:limit].rstrip(b"\0"))
            continues = self.is_continued(segment, is_undecided)
        if proven:
            verdict = "indexDamaged" if continues and not self.held else "damaged"
        else:
            verdict = "unsyncedGap" if is_read_on else "torn"
        yield from self.give_up_batch(verdict)
        lost = [self.sequence + 1, last] if last > self.sequence else None
        cause = f"no frame here continues event {self.sequence}"
        yield finding(verdict, segment.name, place, end, f"{cause}; {proven}" if proven else cause, lost)
        self.digest, self.is_loss_told = None, not is_read_on and verdict != "torn"
        if verdict == "torn":
            self.sequence, self.chain = sequence, chain
        return is_read_on

    def look_ahead(self, scan):
        """What the frames behind the first hole prove to be durable, how, and the last event of a whole batch there."""
        ahead = Scan(scan.data, scan.offset, scan.limit, scan.seed, scan.sequence, scan.chain, scan.allowed)
        durable, evidence, stranded = 0, None, 0
        while ahead.find():
            while frame := ahead.take():
                claim = 0
                if frame.type == EVENT:
                    claim = frame.offset if frame.is_durable_before else 0
                    stranded = ahead.sequence if frame.is_last_of_batch else stranded
                elif frame.type == MARK and not self.is_wrong(frame, ahead.sequence):
                    claim, = struct.unpack_from("<Q", frame.payload)
                if claim > durable:
                    durable, evidence = claim, f"the frame at byte {frame.offset} says that it was durable"
        return durable, evidence, stranded

    def extent(self, segment, following, data):
        """The last event that the segment may hold for certain, and the number of the missing segment that would say so."""
        allowed = following.first - 1 if following else 1 << 64
        if following and following.ordinal == segment.ordinal + 1 and not following.is_guess:
            return allowed, None
        later = following.ordinal if following else max(
            [self.head.ordinal] + [ordinal for ordinal, _, overruled in self.checkpointed if not overruled])
        if later <= segment.ordinal or self.is_sealed(segment, data):
            return allowed, None
        proven = self.proven_end(segment, following, data)
        is_guess = following and following.is_guess
        return (min(proven, allowed), segment.ordinal + 1) if is_guess or proven < allowed else (allowed, None)

    def proven_end(self, segment, following, data):
        """The last event of a segment that certainly belongs to the history, whatever a missing next segment said."""
        claimed = max(
            [receipt.sequence for receipt in self.slots if receipt.ordinal == segment.ordinal]
            + [sequence for ordinal, sequence, _ in self.checkpointed if ordinal == segment.ordinal] + [segment.first - 1])
        places = dict(self.places)
        if following and following.chain is not None:
            places[following.first - 1] = following.chain
        scan, _ = scan_segment(data, segment)
        frame, proven = scan.frame(), scan.sequence
        if frame and segment.chain is None:
            scan.chain = frame.previous
        while True:
            is_batch_open, before = scan.events, scan.sequence
            frame = scan.take()
            if not frame:
                return proven
            if frame.type != EVENT:
                proven = scan.sequence
            elif frame.is_last_of_batch and (
                scan.sequence <= claimed or places.get(scan.sequence) == scan.chain):
                proven = scan.sequence
            elif not is_batch_open and frame.is_durable_before:
                proven = before

    def is_sealed(self, segment, data):
        """Whether a trailer leads to a footer that verifies."""
        trailer = data[-24:]
        if len(trailer) < 24 or trailer[:8] != MAGIC[b"T"] or crc(segment.seed, trailer[:20]) != struct.unpack_from(
                "<I", trailer, 20)[0]:
            return False
        frame = frame_at(data, struct.unpack_from("<Q", trailer, 8)[0], len(data), segment.seed)
        return frame is not None and frame.type == FOOTER

    def undecided(self, data, segment, limit):
        """Whether whole batches verify at a hole or behind it of which only the missing segment knew what became."""
        if not self.missing:
            return False
        offset, sequence, chain = self.scan.settled
        scan = Scan(data, offset, limit, segment.seed, sequence, chain)
        while True:
            first = scan.settled[1] + 1
            frame = scan.take()
            if frame and frame.type == EVENT and frame.is_last_of_batch and first > self.allowed:
                return True
            if not frame and not scan.find():
                return False

    def give_up_batch(self, verdict):
        """Of a batch that was cut, the events that verify are shown where something is lost, and not in a torn tail."""
        if verdict != "torn":
            yield from self.held
        self.held = []

    def boundary(self, segment, offset):
        """The data end on the boundary of a frame, after a whole batch: returns whether anything claims more."""
        # Between two segments the loss is told where the second one begins, unless its header says what the first one held.
        if self.stated:
            claim = self.stated.valid > offset and f"{self.stated.name} says that more was valid"
        else:
            claim = not self.following and self.proof(segment, offset)
            if not self.following and self.head.sequence > self.sequence:
                claim = claim or f"HEAD says that event {self.head.sequence} was durable"
        if not claim:
            return False
        last = self.claimed()
        lost = [self.sequence + 1, last] if last > self.sequence else None
        end = max(offset, self.stated.valid if self.stated else 0)
        yield finding("indexDamaged" if self.is_continued(segment) else "tailLost", segment.name, offset, end, claim, lost)
        self.is_loss_told = True
        return True

    def proof(self, segment, offset):
        """What outside the frames proves that something behind `offset` was durable, or None."""
        if self.following:
            if self.stated and self.stated.durable > offset:
                return f"{self.stated.name} says that {self.stated.durable} bytes were durable"
            if not self.following.verifies and self.following.first > self.scan.settled[1] + 1:
                return f"{self.following.name} was begun behind event {self.following.first - 1}"
        elif self.head.ordinal > segment.ordinal or (
            self.head.ordinal == segment.ordinal and self.head.offset > offset):
            return f"HEAD says that everything up to event {self.head.sequence} was durable"
        elif self.claims[0] > self.scan.settled[1]:
            return f"{self.claims[1]} says that event {self.claims[0]} was durable"
        return None

    def is_continued(self, segment, is_undecided=False):
        """Whether the history goes on here, by the next segment's header or in the last segment by HEAD."""
        if self.following:
            # Where what stands here is undecided, a file without a chain value says nothing of it.
            chain = self.chain if self.following.chain is None and not is_undecided else self.following.chain
            return (self.following.first, chain) == (self.sequence + 1, self.chain)
        return (self.head.sequence, self.head.chain) == (self.sequence, self.chain) and self.claims[0] <= self.sequence

    def claimed(self):
        """The last event that there was before the next segment, or at all."""
        return self.following.first - 1 if self.following else max(self.head.sequence, self.claims[0])

    def check_anchor(self, segment, data, frame, block):
        """The block's checksum, the chain and the history digest that an anchor states."""
        if len(frame.payload) < MINIMUM_PAYLOAD[ANCHOR]:
            yield finding("indexDamaged", segment.name, frame.offset, frame.end, "the anchor is too short")
            return
        start, count, check, chain, flags = struct.unpack_from("<QIIII", frame.payload)
        self.take_step()
        stated = frame.payload[40:72] if flags & KEEPS_DIGEST else None
        wrong = chain != self.chain
        if block:
            wrong = wrong or [start, count] != block or check != crc(0, data[block[0] : frame.offset])
            wrong = wrong or None not in (stated, self.digest) and stated != self.digest
        if wrong:
            yield finding("indexDamaged", segment.name, frame.offset, frame.end, "the anchor does not fit its block")
        if stated and (wrong or self.digest is None):
            self.digest, self.step, self.stepped = stated, hashlib.sha256(stated), 0

    @staticmethod
    def is_wrong(mark, sequence):
        """Whether a mark is too short, or calls durable what was not written yet."""
        if len(mark.payload) < MINIMUM_PAYLOAD[MARK]:
            return True
        durable, last = struct.unpack_from("<QQ", mark.payload)
        return durable > mark.offset or last > sequence

    def index_labels(self, footer):
        """The smallest and largest labels of the blocks that a footer lists."""
        count, size = struct.unpack_from("<II", footer.ljust(80, b"\0"), 72)
        places = [80 + index * size for index in range(min(count, (len(footer) - 80) // max(size, 40)))]
        return [label for place in places for label in struct.unpack_from("<qq", footer, place + 24)]

    def check_footer(self, segment, data, frame):
        """What the footer sums up, and the trailer after it; returns where they end, and whether both verify."""
        self.take_step()
        first, count, chain, flags = struct.unpack_from("<QQII", frame.payload.ljust(80, b"\0"))
        wrong = (first, count, chain) != (segment.first, self.sequence + 1 - segment.first, self.chain)
        if flags & KEEPS_DIGEST and self.digest is not None:
            wrong = wrong or frame.payload[40:72] != self.digest
        labels = self.index_labels(frame.payload)
        wrong = wrong or labels and struct.unpack_from("<qq", frame.payload, 24) != (min(labels), max(labels))
        if wrong or len(frame.payload) < MINIMUM_PAYLOAD[FOOTER]:
            yield finding("indexDamaged", segment.name, frame.offset, frame.end, "the footer does not fit the segment")
        trailer = data[frame.end : frame.end + 24]
        if (
            len(trailer) == 24 and trailer[:8] == MAGIC[b"T"] and trailer[8:16] == struct.pack("<Q", frame.offset)
            and struct.unpack_from("<I", trailer, 20)[0] == crc(segment.seed, trailer[:20])
        ):
            return frame.end + 24, True
        # A footer may be all that has arrived of the write that was to end the segment.
        if not self.proof(segment, frame.end):
            return frame.end, False
        end = frame.end + len(trailer)
        yield finding("indexDamaged", segment.name, frame.end, end, "the trailer does not verify")
        return end, False

    def check_claims(self, start, end):
        """HEAD and the checkpoints must give the history the chain value that it has after their events."""
        if self.head.generation and self.head.sequence == self.sequence and self.head.chain != self.chain:
            cause = f"HEAD states another chain after event {self.sequence}"
            yield finding("damaged", self.name, start, end, cause)
        for name, chain in self.made_from.get(self.sequence, []):
            if chain != self.chain:
                yield finding("indexDamaged", name, 56, 60, "it was made from another history")


# The command.


class Schemas:
    """Describes the events: those of one domain by its published schema, all others by the catalogues in the journal."""

    def __init__(self, reader, published):
        self.reader, self.published, self.name, self.catalog, self.current = reader, published, None, None, None

    def current_one(self):
        """The schema of the event that was read last."""
        if self.published:
            return self.published
        if self.name != self.reader.segment.name:
            self.name, catalog = self.reader.segment.name, self.reader.catalog(self.reader.segment)
            if not self.current or catalog != self.catalog:
                self.catalog, self.current = catalog, read_catalog_schema(catalog) if catalog else Schema()
        return self.current


def first_misfit(reader, schema):
    """Which event is the first that is not one of the schema, and why; None if every event that can be read is one."""
    try:
        for item in reader.items():
            why = None if isinstance(item, (dict, Lost)) else misfit(schema, item[2])
            if why:
                return f"event {item[0]} is not one of {OWN_DOMAIN}: {why}"
    except (Damaged, Unsupported):
        pass
    return None


def contradicting(reader, schema):
    """Whether a catalogue in a journal means something else than the schema."""
    catalogs = {reader.catalog(segment) for segment in reader.segments} - {None}
    return any(contradicts(read_catalog_schema(catalog), schema) for catalog in catalogs)


def read_journal(path, schema, is_published, is_by_catalog, emit):
    """Hands every event and finding over as a record, in order; returns the exit code."""
    code, state_unknown = 0, 0
    try:
        reader = Reader(path)
        domain = reader.identity.domain
        if reader.is_domain_unknown:
            print(
                f"read_journal.py: {path}: neither JOURNAL nor a segment's header says of which domain the events are. "
                "Next: restore JOURNAL or a segment from a copy", file=sys.stderr)
            return 3
        is_own = domain is None or domain == OWN_DOMAIN and not (is_published and contradicting(reader, schema))
        why = None if domain else first_misfit(Reader(path), schema)
        if why:
            print(
                f"read_journal.py: {path}: the journal names no domain, and {why}. "
                "Next: open it with the program that it belongs to", file=sys.stderr)
            return 5
        schemas = Schemas(reader, schema if domain is None or is_own and not is_by_catalog else None)
        emit({"kind": "journal", "domain": domain})
        if is_own and reader.first_sequence > 1 and reader.checkpoints < reader.first_sequence - 1:
            state_unknown = 3
        for item in join_lost(reader.items()):
            if isinstance(item, dict):
                code = max(code, 5 if item["verdict"] == "unsupportedFormat" else 3 if is_loss(item) else 0)
                state_unknown = state_unknown or (3 if item["verdict"] == "unsyncedGap" else 0)
                emit(item)
                continue
            record = decode_event(schemas.current_one(), *item)
            if is_own and not record["known"] and must_understand(schemas.current_one(), record):
                state_unknown = state_unknown or (3 if "undecodable" in record else 5)
            emit(record)
    except Unsupported as trouble:
        emit(finding("unsupportedFormat", path, 0, 0, str(trouble)))
        return 5
    except Damaged as damage:
        emit(finding("damaged", path, 0, 0, str(damage)))
        return 3
    except BrokenPipeError:
        raise
    except OSError as error:
        print(f"read_journal.py: {path}: {error}. Next: ls -ld {path}", file=sys.stderr)
        return 4
    return code or state_unknown


def main():
    parser = argparse.ArgumentParser(description="Prints the events of a journal, one JSON object a line.")
    parser.add_argument("journal", help="the journal's directory")
    default = os.path.join(os.path.dirname(__file__), "..", "Sources", "AppProtection", "policyjournal.proto")
    parser.add_argument("--schema", default=default, help="the schema of app protection's payloads")
    parser.add_argument(
        "--by-catalog", action="store_true", help="describe app protection's events by the journal's catalogues too")
    parser.add_argument("--export", action="store_true", help="JOURNAL is a file that pj export wrote")
    arguments = parser.parse_args()
    try:
        schema = read_schema(arguments.schema)
    except OSError as error:
        parser.error(f"the schema cannot be read: {error}")

    def emit(record):
        print(json.dumps(record, ensure_ascii=False, separators=(",", ":")))

    try:
        if arguments.export:
            code = read_export(arguments.journal, schema, emit)
        else:
            is_published = arguments.schema == default
            code = read_journal(arguments.journal, schema, is_published, arguments.by_catalog, emit)
        sys.stdout.flush()
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        code = 0
    return code


if __name__ == "__main__":
    sys.exit(main())
