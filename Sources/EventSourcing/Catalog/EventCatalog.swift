import Synchronization

/// Everything there is to know about every event type of a domain: the one table from which decoding, printing,
/// redaction, the published schema, the documentation page and completions are derived.
public struct EventCatalog: Sendable {
  /// The entries in the order of their numbers.
  public let entries: [EventDescriptor]
  /// Its fingerprint, once somebody asked for it: a catalogue does not change.
  let fingerprintCache = FingerprintCache()

  /// Creates a catalogue. Numbers and names must be unique; the order of `entries` does not matter.
  public init(_ entries: [EventDescriptor]) {
    let sorted = entries.sorted { $0.number < $1.number }
    for (one, next) in zip(sorted, sorted.dropFirst()) {
      precondition(one.number < next.number, "two event types have one number")
    }
    precondition(Set(sorted.map(\.name)).count == sorted.count, "two event types have one name")
    self.entries = sorted
  }

  /// The entry with this number, if there is one. O(log n).
  public subscript(number: UInt32) -> EventDescriptor? {
    var low = 0
    var high = entries.count
    while low < high {
      let middle = (low + high) / 2
      if entries[middle].number < number { low = middle + 1 } else { high = middle }
    }
    return low < entries.count && entries[low].number == number ? entries[low] : nil
  }
}

/// A digest that is computed when it is asked for the first time.
final class FingerprintCache: Sendable {
  private let digest = Mutex<Digest?>(nil)

  func value(_ compute: () -> Digest) -> Digest {
    digest.withLock { known in
      if let known { return known }
      let digest = compute()
      known = digest
      return digest
    }
  }
}

/// One event type: an entry of an ``EventCatalog``.
public struct EventDescriptor: Sendable {
  /// The type's number in a journal. Never reused.
  public let number: UInt32
  /// What people call it: two words parted by a dot, such as `policy.received`.
  public let name: String
  /// The version of the body's schema that this program writes, from 1.
  public let version: UInt32
  /// What a program must do that meets this type and does not know it.
  public let unknownReaders: UnknownReaderRule
  /// The body's fields.
  public let body: MessageDescriptor
  /// What happened when this event is in a journal, in one sentence.
  public let meaning: String
  /// What somebody can do about it, where there is something to do.
  public let remedy: String?

  /// Creates an entry.
  public init(
    _ number: UInt32, _ name: String, version: UInt32 = 1, unknownReaders: UnknownReaderRule = .mustUnderstand,
    body: MessageDescriptor, meaning: String, remedy: String? = nil
  ) {
    self.number = number
    self.name = name
    self.version = version
    self.unknownReaders = unknownReaders
    self.body = body
    self.meaning = meaning
    self.remedy = remedy
  }
}

/// What a program must do with an event whose type, or whose version, it does not know. The writer records it in the
/// event, because the reader cannot look it up.
public enum UnknownReaderRule: UInt8, Sendable {
  /// The event can be left out without making the derived state wrong.
  case ignorable = 0
  /// Whoever leaves the event out derives a wrong state: stop, and say which program is needed.
  case mustUnderstand = 1
}

/// The fields of a message: an event's body, or a part of one.
public struct MessageDescriptor: Sendable {
  /// The message's name in the published schema, in upper camel case.
  public let name: String
  /// The fields in the order of their numbers.
  public let fields: [FieldDescriptor]

  /// Creates a description; the fields must be in the order of their numbers.
  public init(_ name: String, _ fields: [FieldDescriptor]) {
    for (one, next) in zip(fields, fields.dropFirst()) {
      precondition(one.number < next.number, "the fields of a message are not in the order of their numbers")
    }
    self.name = name
    self.fields = fields
  }
}

/// One field of a message.
public struct FieldDescriptor: Sendable {
  /// The field's number on the wire.
  public let number: Int
  /// The field's name, in lower camel case; the published schema spells it in snake case.
  public let name: String
  /// What it holds.
  public let type: FieldType
  /// Whether it may occur once, once or not at all with the difference meaning something, or many times.
  public let cardinality: Cardinality
  /// Who may see it.
  public let privacy: Privacy
  /// What it means, with unit and range, in one phrase.
  public let meaning: String

  /// How often a field may occur.
  public enum Cardinality: Sendable {
    /// Once; the default value and absence are the same.
    case single
    /// Once or not at all; absence is information of its own.
    case optional
    /// Any number of times, in order, not packed.
    case repeated
  }

  /// Creates a description.
  public init(
    _ number: Int, _ name: String, _ type: FieldType, _ cardinality: Cardinality = .single,
    privacy: Privacy = .public, _ meaning: String
  ) {
    self.number = number
    self.name = name
    self.type = type
    self.cardinality = cardinality
    self.privacy = privacy
    self.meaning = meaning
  }
}

/// What a field holds: a scalar of Protocol Buffers with the meaning that printing needs.
public indirect enum FieldType: Sendable {
  /// `bool`.
  case bool
  /// `uint64`: a count or a number without unit.
  case unsigned
  /// `sint64`: a number that may be negative.
  case signed
  /// `string`.
  case string
  /// `string` that holds one JSON value as it came from its source.
  case json
  /// `bytes`.
  case bytes
  /// `bytes` of length 16, printed as a GUID.
  case guid
  /// `sfixed64`: nanoseconds since 1970-01-01T00:00:00Z.
  case time
  /// `sint64`: a length of time in nanoseconds.
  case duration
  /// `uint64`: the number of an account within the journal; account 1 is printed as `a1`. Zero is no account.
  case account
  /// `uint64`: the position of an event in the journal. Zero is none.
  case sequence
  /// An enumeration; a number that has no name here is printed as the number.
  case enumeration(EnumerationDescriptor)
  /// An embedded message.
  case message(MessageDescriptor)
}

/// The names of an enumeration's numbers.
public struct EnumerationDescriptor: Sendable {
  /// The enumeration's name in the published schema, in upper camel case.
  public let name: String
  /// The members in the order of their numbers.
  public let members: [(number: UInt64, name: String)]

  /// Creates a description.
  public init(_ name: String, _ members: [(number: UInt64, name: String)]) {
    self.name = name
    self.members = members
  }

  /// The name of a number, if it has one.
  public func name(of number: UInt64) -> String? {
    members.first { $0.number == number }?.name
  }
}
