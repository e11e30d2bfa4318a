"""Decodes the payloads of a journal's events, for read_journal.py.

A schema comes from a .proto file or from a catalogue inside the journal. Of the .proto language this knows the small part
that policyjournal.proto uses, and the notes in its comments: which bytes are a GUID, which numbers are times, and what
only some may see. The page Catalogs.md describes a catalogue.
"""

import datetime
import json
import re
import struct
from dataclasses import dataclass, field

from sensitive_text import is_secret, without_secrets


class Undecodable(Exception):
    """Bytes that are not what the schema says, and where, counted from the start of the message."""

    def __init__(self, reason, place=None):
        super().__init__(reason if place is None else f"byte {place}: {reason}")
        self.reason, self.place = reason, place

    def inside(self, outer):
        """The same with its place in the message around it, in which this one begins at `outer`."""
        return Undecodable(self.reason, self.place + outer)


ACCOUNT = ("account", "a")
MAXIMUM_FIELDS, MAXIMUM_MEMBERS, MAXIMUM_DEPTH = 65_536, 1_048_576, 32
MAXIMUM_NESTING = 256  # Of arrays and objects in a JSON value that is shown as one.
CATALOG_TYPES = {
    1: ("bool", ""), 2: ("uint64", ""), 3: ("sint64", ""), 4: ("string", ""), 5: ("string", "one JSON value"),
    6: ("bytes", ""), 7: ("bytes", "16 bytes in the order of a GUID's digits"), 8: ("sfixed64", ""),
    9: ("sint64", "nanoseconds"),
}

# What the types of the same wire form leave unsaid; a refinement of another type, or of a later program, is passed over.
CATALOG_REFINEMENTS = {(8, 1): ("double", ""), (3, 2): ("sint64", "days since 1970-01-01")}


# Every domain has these types: EventSourcing's own. The page Updates.md describes them.
MIGRATION = 0xFFFFFF00


@dataclass
class Field:
    name: str
    type: str
    is_repeated: bool
    notes: frozenset
    is_optional: bool = False
    reference: 'tuple | None' = None  # What the number refers to, and what precedes it in print.


@dataclass
class EventType:
    name: str
    message: str
    version: int
    oldest: int  # The first version that is read.
    is_ignorable: bool = False  # Whether a state may leave it out where it is not understood.


@dataclass
class Schema:
    messages: dict = field(default_factory=dict)  # name -> {number: Field}
    enumerations: dict = field(default_factory=dict)  # name -> {number: name}
    events: dict = field(default_factory=dict)  # number -> EventType
    is_readable: bool = True
    is_own: bool = False  # The program of the domain reads the bodies, and not only by their description.


def camel_case(snake):
    first, *others = snake.lower().split("_")
    return first + "".join(word.capitalize() for word in others)


def upper_snake_case(name):
    return re.sub(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])", "_", name).upper()


def read_schema(path):
    """Reads a .proto file of one message, enumeration, field or constant a line, with comments above them."""
    schema, comment, message, constants, prefix = Schema(is_own=True), "", None, None, ""
    with open(path, encoding="utf-8") as file:
        lines = [line.strip() for line in file]
    for line in lines:
        if line.startswith("//"):
            comment += (" " if comment else "") + line[2:].strip()
            continue
        if opening := re.fullmatch(r"message (\w+) \{", line):
            message, constants = schema.messages.setdefault(opening[1], {}), None
        elif opening := re.fullmatch(r"enum (\w+) \{", line):
            message, constants = None, schema.enumerations.setdefault(opening[1], {})
            prefix = upper_snake_case(opening[1]) + "_"
        elif constant := re.fullmatch(r"(\w+) = (\d+);", line):
            add_constant(schema, constants, constant[1].removeprefix(prefix), int(constant[2]), comment)
        elif found := re.fullmatch(r"(repeated |optional )?(\w+) (\w+) = (\d+)(?: \[(.*)\])?;", line):
            name = re.search(r'json_name = "(\w+)"', found[5] or "")
            notes = frozenset(comment.split("; "))
            message[int(found[4])] = Field(
                name[1] if name else camel_case(found[3]), found[2], found[1] == "repeated ", notes,
                found[1] == "optional ", ACCOUNT if "an account's number, 0 is none" in notes else None)
        comment = ""
    add_own_types(schema)
    return schema


def add_own_types(schema):
    """Describes the types that every domain has."""
    schema.messages["StateMigrated"] = {
        number: Field(name, type, False, frozenset()) for number, name, type in (
            (1, "from", "uint64"), (2, "to", "uint64"), (3, "checkpoint", "uint64"), (4, "before", "bytes"),
            (5, "after", "bytes"))}
    schema.events[MIGRATION] = EventType("state.migrated", "StateMigrated", 1, 1)


def add_constant(schema, constants, name, number, comment):
    shown = re.search(r"shown as (\w+)", comment)
    constants[number] = shown[1] if shown else camel_case(name)
    if event := re.match(r"([\w.]+) \((\w+), version (\d+), (may be ignored)?", comment):
        schema.events[number] = EventType(event[1], event[2], int(event[3]), 1, bool(event[4]))


def read_catalog_schema(data):
    """The schema in a catalogue; one without events where the bytes are not a catalogue."""
    schema = Schema()
    try:
        forms = members(data)
        for place, form in enumerate(forms.get(3, []), 1):
            listed = in_order(members(form).get(2, []), 1, 2)
            schema.enumerations[f"enumeration {place}"] = {number: name for number, name, _ in listed}
        sizes = []
        for place, form in enumerate(forms.get(2, []), 1):
            listed = in_order(members(form).get(2, []), 1, 2)
            fields = {number: catalog_field(name, form, place, schema) for number, name, form in listed}
            inner = [sizes[int(known.type[8:]) - 1] for known in fields.values() if known.type.startswith("message ")]
            named = sum(len(schema.enumerations.get(known.type, ())) for known in fields.values())
            sizes.append((
                len(fields) + sum(size[0] for size in inner), named + sum(size[1] for size in inner),
                1 + max([size[2] for size in inner], default=0)))
            if any(size > most for size, most in zip(sizes[-1], (MAXIMUM_FIELDS, MAXIMUM_MEMBERS, MAXIMUM_DEPTH))):
                raise Undecodable("the catalogue is too large")
            schema.messages[f"message {place}"] = fields
        counts = [0, 0]
        for number, name, form in in_order(forms.get(1, []), 1, 2):
            version, body = one(form, 3, 1), one(form, 5, 0)
            if not (0 < number < 1 << 32 and 0 < version < 1 << 32 and 0 < body <= len(sizes) and one(form, 4, 0) <= 1):
                raise Undecodable(f"the catalogue's {name} cannot be like this")
            counts = [count + size for count, size in zip(counts, sizes[body - 1])]
            schema.events[number] = EventType(name, f"message {body}", version, 1, not one(form, 4, 0))
        slices = [members(form) for form in forms.get(4, [])]
        names = {catalog_name(one(form, 1, b"")) for form in slices}
        if len(names) < len(slices) or any(one(form, 2, 0) > 1 for form in slices) or one(forms, 5, 0) >= 1 << 32:
            raise Undecodable("the catalogue's slices or its revision cannot be like this")
        if counts[0] > MAXIMUM_FIELDS or counts[1] > MAXIMUM_MEMBERS or len(slices) > MAXIMUM_FIELDS:
            raise Undecodable("the catalogue is too large")
    except Undecodable:
        return Schema(is_readable=False)
    return schema


def contradicts(one, other):
    """Whether a number means one thing in a schema and another thing in another."""
    return not (one.is_readable and other.is_readable) or any(
        known.name != other.events[number].name
        or messages_contradict(one, known.message, other, other.events[number].message)
        for number, known in one.events.items() if number in other.events)


def messages_contradict(one, name, other, other_name):
    its = other.messages.get(other_name, {})
    return any(
        number in its and fields_contradict(one, known, other, its[number])
        for number, known in one.messages.get(name, {}).items())


def fields_contradict(one, field, other, its):
    if field.name != its.name or field.is_repeated != its.is_repeated or kind(one, field) != kind(other, its):
        return True
    if field.type in one.messages:
        return messages_contradict(one, field.type, other, its.type)
    members, others = one.enumerations.get(field.type, {}), other.enumerations.get(its.type, {})
    return any(others.get(number, name) != name for number, name in members.items())


def kind(schema, field):
    """What of a field's type may not differ."""
    if field.type in schema.messages or field.type in schema.enumerations:
        return "message" if field.type in schema.messages else "enumeration"
    types = [*CATALOG_TYPES.values(), *CATALOG_REFINEMENTS.values()]
    notes = {note for type, note in types if note} & field.notes
    return field.type, tuple(sorted(notes)), field.reference and field.reference[0]


def members(data):
    """The values of a message by the numbers of their fields."""
    found = {}
    for field in wire_fields(data):
        found.setdefault(field.number, []).append(field.value)
    return found


def one(form, number, default):
    """The last value of a field that occurs once."""
    value = form.get(number, [default])[-1]
    if isinstance(value, bytes) != isinstance(default, bytes):
        raise Undecodable(f"field {number} of the catalogue does not hold what it should")
    return value


def in_order(forms, number, name):
    """The number and name of each form, and the form; the numbers must ascend and the names differ."""
    listed = [(one(form, number, 0), catalog_name(one(form, name, b"")), form) for form in map(members, forms)]
    numbers, names = [form[0] for form in listed], {form[1] for form in listed}
    if any(one >= next for one, next in zip(numbers, numbers[1:])) or len(names) < len(listed):
        raise Undecodable("the catalogue's numbers or names are not in order")
    return listed


def catalog_name(name):
    if not re.fullmatch(rb"[A-Za-z0-9._-]{1,128}", name):
        raise Undecodable("the catalogue contains a name that is not valid")
    return name.decode()


# A reference is not called like one of them: fingerprints tell types apart by name.
SCALAR_NAMES = {"bool", "unsigned", "signed", "string", "json", "bytes", "guid", "time", "duration", "sequence"}


def catalog_field(name, form, messages, schema):
    """A field; its message is among the earlier ones, before the place `messages`."""
    kind, place, cardinality, privacy = (one(form, number, 0) for number in (3, 4, 7, 8))
    if not (1 <= kind <= 13 and cardinality <= 2 and privacy <= 2 and 1 <= one(form, 1, 0) <= 536_870_911):
        raise Undecodable(f"the catalogue's field {name} cannot be like this")
    type, note = CATALOG_REFINEMENTS.get((kind, one(form, 10, 0)), CATALOG_TYPES.get(kind, ("uint64", "")))
    reference = None
    if kind == 10:
        prefix = one(form, 6, b"")
        reference = catalog_name(one(form, 5, b"")), catalog_name(prefix) if prefix else ""
        if reference[0] in SCALAR_NAMES:
            raise Undecodable(f"the catalogue's field {name} refers to something called like a type")
    elif kind == 12 or kind == 13:
        type = f"{'enumeration' if kind == 12 else 'message'} {place}"
        if not 1 <= place < (messages if kind == 13 else len(schema.enumerations) + 1):
            raise Undecodable(f"the catalogue's field {name} names nothing")
    shown_to = ("", "privacy: account", "privacy: secret")[privacy]
    return Field(name, type, cardinality == 2, frozenset((note, shown_to)), cardinality == 1, reference)


# Protocol Buffers wire format.


def varint(data, offset, base):
    value, start = 0, offset
    for shift in range(0, 70, 7):
        if offset >= len(data):
            raise Undecodable("the message ends in the middle of a value", base + start)
        byte = data[offset]
        offset += 1
        if shift == 63 and byte > 1:
            break
        value |= (byte & 0x7F) << shift
        if byte < 0x80:
            return value, offset
    raise Undecodable("a number has more bytes than 64 bits need", base + start)


@dataclass
class WireField:
    """One field of a message: its value is an integer or bytes, its place that of its tag."""

    number: int
    wire_type: int
    value: 'int | bytes'
    place: int
    value_place: int
    encoded: bytes

    def wrong_type(self):
        return Undecodable(f"field {self.number} has a different wire type from its schema", self.place)

    def out_of_range(self):
        return Undecodable(f"field {self.number} holds a value outside its range", self.place)


def wire_fields(data, base=0):
    """The fields of a message whose first byte has the place `base`."""
    offset = 0
    while offset < len(data):
        start = offset
        tag, offset = varint(data, offset, base)
        number, wire_type = tag >> 3, tag & 7
        if wire_type not in (0, 1, 2, 5):
            raise Undecodable(f"a tag has wire type {wire_type}, which is not in use", base + start)
        if number == 0:
            raise Undecodable("a tag has field number 0", base + start)
        if number > 536_870_911:
            raise Undecodable("a number has more bytes than 64 bits need", base + start)
        if wire_type == 0:
            place, (value, offset) = offset, varint(data, offset, base)
        else:
            length, place = {1: 8, 5: 4}.get(wire_type), offset
            if length is None:
                length, offset = varint(data, offset, base)
                place = start
            if length > len(data) - offset:
                raise Undecodable("the message ends in the middle of a value", base + place)
            place, value, offset = offset, data[offset : offset + length], offset + length
        yield WireField(number, wire_type, value, base + start, base + place, data[start:offset])


# Values as JSON.


def time_text(nanoseconds):
    """A time in RFC 3339, with as many digits of a fraction as are not zero."""
    seconds, fraction = divmod(nanoseconds, 1_000_000_000)
    moment = datetime.datetime(1970, 1, 1) + datetime.timedelta(seconds=seconds)
    return moment.isoformat() + f".{fraction:09}".rstrip("0").rstrip(".") + "Z"


def date_text(days, found):
    """A day in ISO 8601."""
    first, last = (date.toordinal() - datetime.date(1970, 1, 1).toordinal() for date in (datetime.date.min, datetime.date.max))
    if not first <= days <= last:
        raise found.out_of_range()
    return (datetime.date(1970, 1, 1) + datetime.timedelta(days=days)).isoformat()


def duration_text(nanoseconds):
    """A length of time in ISO 8601, in days and smaller."""
    seconds, fraction = divmod(abs(nanoseconds), 1_000_000_000)
    days, hours, minutes = seconds // 86_400, seconds // 3600 % 24, seconds // 60 % 60
    rest = f"{seconds % 60}" + f".{fraction:09}".rstrip("0").rstrip(".")
    clock = (f"{hours}H" if hours else "") + (f"{minutes}M" if minutes else "") + (f"{rest}S" if rest != "0" else "")
    if not days and not clock:
        clock = "0S"
    return ("-" if nanoseconds < 0 else "") + "P" + (f"{days}D" if days else "") + (f"T{clock}" if clock else "")


def signed(number):
    return (number >> 1) ^ -(number & 1)


WIRE_TYPES = {"bool": 0, "uint64": 0, "sint64": 0, "sfixed64": 1, "double": 1}


def decode_value(schema, known, found, privacy, accounts):
    """One value of a field as JSON, and why it is not one of its type when it is not."""
    expected = 0 if known.type in schema.enumerations else WIRE_TYPES.get(known.type, 2)
    try:
        if privacy and found.wire_type == 2 and (known.type == "string" or is_guid(known)) and is_sealed(found.value):
            return {"redacted": "sealed"}, None
        if found.wire_type != expected:
            raise found.wrong_type()
        if known.type in schema.messages:
            shown, trouble = decode_message(schema, known.type, found.value, privacy, accounts)
            return shown, trouble.inside(found.value_place) if trouble and schema.is_own else trouble
        if known.reference == ACCOUNT and found.value and f"a{found.value}" not in accounts:
            accounts.append(f"a{found.value}")
        # A value that is not one of the type is noticed whoever may see it.
        shown, trouble = decode_scalar(schema, known, found), None
    except Undecodable as error:
        shown, trouble = {"undecodable": str(error), "bytes": found.encoded.hex()}, error
    return {"redacted": "secret"} if privacy == "secret" else shown, trouble


def decode_scalar(schema, known, found):
    """A value of a field that is not a message as JSON, whoever may see it."""
    value = found.value
    if known.type in schema.enumerations:
        return schema.enumerations[known.type].get(value, str(value))
    if known.type == "bool":
        return value != 0
    if known.type == "uint64":
        if known.reference:
            return f"{known.reference[1]}{value}" if value else "none"
        return value
    if known.type == "sint64":
        if "days since 1970-01-01" in known.notes:
            return date_text(signed(value), found)
        return duration_text(signed(value)) if "nanoseconds" in known.notes else signed(value)
    if known.type == "double":
        return repr(struct.unpack("<d", value)[0])
    if known.type == "sfixed64":
        return time_text(struct.unpack("<q", value)[0])
    if known.type == "string":
        return decode_text(known, found)
    if is_guid(known):
        if len(value) != 16:
            raise found.out_of_range()
        return "-".join(value[start:end].hex() for start, end in ((0, 4), (4, 6), (6, 8), (8, 10), (10, 16)))
    return value.hex()


def is_guid(known):
    return "16 bytes in the order of a GUID's digits" in known.notes


def is_sealed(value):
    """Whether a field holds an encrypted value, which only a program with the keys can open."""
    return value.startswith(b"\xff\x01") and len(value) >= 38


def decode_text(known, found):
    try:
        text = found.value.decode("utf-8")
    except UnicodeDecodeError:
        raise Undecodable(f"field {found.number} is not UTF-8", found.place) from None
    return without_secrets(json_value(text) if "one JSON value" in known.notes else text)


def json_value(text):
    """The value in a JSON text; the text itself where it is none, is nested deeply, or cannot be written again."""
    try:
        value = json.loads(text, object_pairs_hook=unique_members)
        json.dumps(value, ensure_ascii=False, allow_nan=False).encode()
        return value if is_shallow(value, MAXIMUM_NESTING) else text
    except (ValueError, RecursionError):
        return text


def unique_members(pairs):
    members = dict(pairs)
    if len(members) < len(pairs):
        raise ValueError("two members have one name")
    return members


def is_shallow(value, levels):
    """Whether arrays and objects are nested in no more levels."""
    inner = value.values() if isinstance(value, dict) else value if isinstance(value, list) else None
    return inner is None or levels > 0 and all(is_shallow(one, levels - 1) for one in inner)


def decode_message(schema, name, data, privacy, accounts):
    """A message as a JSON object, in the order of its fields, with all that can be read; and why it cannot be read whole.

    `accounts` collects the accounts that it names.
    """
    fields, found, unknown, cut = schema.messages.get(name, {}), {}, [], None
    try:
        for field in wire_fields(data):
            known = fields.get(field.number)
            if not known:
                # It may hold anything, so it is not shown.
                unknown.append({"number": field.number, "value": {"redacted": "secret"}})
            elif known.is_repeated:
                found.setdefault(field.number, []).append(field)
            else:
                found[field.number] = [field]
    except Undecodable as error:
        cut = error
    result, troubles = {}, []
    naming, name = naming_text(fields, found)
    for number, known in fields.items():
        own = "secret" if "privacy: secret" in known.notes else "account" if "privacy: account" in known.notes else ""
        within = "secret" if "secret" in (own, privacy) else own or privacy
        if name is not None and within == "account" and number != naming and not known.is_repeated:
            text = written_text(known, found.get(number))
            within = "secret" if text is not None and is_secret(text, name) else within
        values = [decode_value(schema, known, field, within, accounts) for field in found.get(number, [])]
        if values:
            result[known.name] = [value for value, _ in values] if known.is_repeated else values[0][0]
        troubles += [trouble for _, trouble in values if trouble]
    if unknown:
        result["unknownFields"] = unknown
    if cut:
        result["undecodable"] = str(cut)
    return result, next(iter(troubles), cut)


def naming_text(fields, found):
    """The number of the text that names what stands beside it, and that text; None where there is none."""
    naming = next((number for number in sorted(fields) if fields[number].name in ("key", "name")), None)
    if naming is None or fields[naming].type != "string" or "one JSON value" in fields[naming].notes:
        return None, None
    return naming, written_text(fields[naming], found.get(naming))


def written_text(known, values):
    """The text of a field as it is written; None where it is not one."""
    value = values[0].value if values and known.type == "string" and values[0].wire_type == 2 else None
    try:
        return None if value is None or is_sealed(value) else value.decode()
    except UnicodeDecodeError:
        return None


def decode_event(schema, sequence, chain, payload):
    """An event as 'pj log -j --reveal' prints it, without what needs the rules of the domain."""
    envelope, trouble = read_envelope(payload)
    number, version = envelope.get(1, 0), envelope.get(2, 1)
    event = schema.events.get(number)
    features = envelope.get(12, 0)
    is_understood = event and event.oldest <= version <= event.version and not features & ~KNOWN_FEATURES
    message = event.message if is_understood else None
    accounts = []
    data, why = decode_message(schema, message, envelope.get(15, b""), "", accounts)
    if is_understood:
        why = why or schema.is_own and missing_value(schema, message, envelope.get(15, b""))
        trouble = trouble or why and str(why)
    digest = envelope.get(18) or envelope.get(13) or envelope.get(10, b"")
    record = {
        "kind": "event", "seq": sequence, "time": time_text(struct.unpack("<q", envelope.get(3, bytes(8)))[0]),
        "uptime": envelope.get(4, 0) - (envelope.get(4, 0) >> 63 << 64),
        "type": event.name if event else f"type {number}", "typeNumber": number, "version": version,
        "known": message is not None and not trouble, "mustUnderstand": envelope.get(9, 0) != 0,
        **({"features": bits(features)} if features else {}),
        "accounts": accounts, "cause": envelope.get(5, 0), "correlation": envelope.get(6, 0),
        "process": envelope.get(7, 0), **attributes(envelope), "chain": f"{chain:08x}",
        "stateDigest": digest.hex() if digest else None, "data": data,
    }
    if trouble:
        record["undecodable"] = trouble
    return record


def must_understand(schema, record):
    """Whether no state is known behind an event unless it is understood: its writer says so to readers that do not know the
    version, and the catalogue to those that know it and cannot read the body."""
    event = schema.events.get(record["typeNumber"])
    is_broken = "undecodable" in record and event and event.oldest <= record["version"] <= event.version
    return record["mustUnderstand"] or is_broken and not event.is_ignorable


def bits(number):
    """The numbers of the bits that are set."""
    return [bit for bit in range(64) if number >> bit & 1]


def attributes(envelope):
    """What the app attached to the command, by the names of the members."""
    found = {}
    if 14 in envelope:
        origin = envelope[14]
        wall, uptime = time_text(struct.unpack("<q", origin.get(2, bytes(8)))[0]), origin.get(3, 0)
        found["origin"] = {"process": origin.get(1, 0), "time": wall, "uptime": uptime - (uptime >> 63 << 64)}
    if envelope.get(16):
        found["stream"] = without_secrets(envelope[16])
    if 17 in envelope:
        found["metadata"] = [{"key": entry.get(1, ""), "value": without_secrets(entry.get(2, ""))} for entry in envelope[17]]
    return found


def misfit(schema, payload):
    """Why a payload is not an event of the schema; None if every field is described and of its type, and none is missing."""
    envelope, trouble = read_envelope(payload)
    event = schema.events.get(envelope.get(1, 0))
    if trouble or not event or not event.oldest <= envelope.get(2, 1) <= event.version:
        return trouble or f"version {envelope.get(2, 1)} of type {envelope.get(1, 0)} is unknown"
    body = envelope.get(15, b"")
    _, trouble = decode_message(schema, event.message, body, "", [])
    why = trouble or message_misfit(schema, event.message, body) or missing_value(schema, event.message, body)
    return why and str(why)


def message_misfit(schema, name, data):
    """What else tells that a message which can be decoded is not one of the schema."""
    fields = schema.messages[name]
    for field in wire_fields(data):
        known = fields.get(field.number)
        if not known:
            return f"it has an unknown field {field.number}"
        if known.type in schema.enumerations and field.value not in schema.enumerations[known.type]:
            return f"its field {known.name} has the unknown value {field.value}"
        why = message_misfit(schema, known.type, field.value) if known.type in schema.messages else None
        if why:
            return why
    return None


def missing_value(schema, name, data, base=0):
    """Which value is missing in a message that can be decoded, and has no default; None if none is."""
    fields, seen = schema.messages[name], set()
    for field in wire_fields(data, base):
        seen.add(field.number)
        known = fields.get(field.number)
        if known and known.type in schema.messages:
            why = missing_value(schema, known.type, field.value, field.value_place)
            if why:
                return why
    for number, known in fields.items():
        lacks_zero = known.type in schema.enumerations and 0 not in schema.enumerations[known.type]
        if not (known.is_repeated or known.is_optional or number in seen) and (is_guid(known) or lacks_zero):
            return Undecodable(f"field {number} is missing", base + len(data))
    return None


ENVELOPE = dict.fromkeys((1, 2, 4, 5, 6, 7, 9, 12), 0) | {3: 1} | dict.fromkeys((8, 10, 11, 13, 14, 15, 16, 17, 18, 19), 2)
ORIGIN, ENTRY = {1: 0, 2: 1, 3: 0}, {1: 2, 2: 2}
KNOWN_FEATURES = 1 | 1 << 2


def part(outer, types):
    """The fields of a message inside the envelope by their numbers; its texts decoded."""
    if outer.wire_type != 2:
        raise outer.wrong_type()
    found = {}
    for field in wire_fields(outer.value, outer.value_place):
        if field.number in types:
            if field.wire_type != types[field.number]:
                raise field.wrong_type()
            found[field.number] = utf8(field) if field.wire_type == 2 else field.value
    return found


def utf8(field):
    try:
        return field.value.decode("utf-8")
    except UnicodeDecodeError:
        raise Undecodable(f"field {field.number} is not UTF-8", field.place) from None


def read_envelope(payload):
    """The fields of the envelope by their numbers, and why the payload is none when it is not."""
    envelope = {}
    try:
        for field in wire_fields(payload):
            number, value = field.number, field.value
            if number not in ENVELOPE:
                continue
            if field.wire_type != ENVELOPE[number]:
                raise field.wrong_type()
            if number in (1, 2) and value >= 1 << 32:
                raise field.out_of_range()
            if number == 17:
                envelope.setdefault(17, []).append(part(field, ENTRY))
            else:
                envelope[number] = part(field, ORIGIN) if number == 14 else utf8(field) if number == 16 else value
        if not envelope.get(1):
            raise Undecodable("field 1 is missing", len(payload))
    except Undecodable as error:
        # A payload that is no envelope is shown whole, as fields that nobody knows, and must be understood.
        return {9: 1, 15: payload}, str(error)
    return envelope, None
