import Journal
import Synchronization

/// Describes every event type of a domain. Decoding, printing, redaction, the published schema, the documentation page
/// and completions are all derived from this table.
public struct EventCatalog: Sendable {
  /// In ascending order of number.
  public let entries: [EventDescriptor]
  /// What computes the states, in a catalogue from a journal whose program stated it.
  public let state: StateDescriptor?
  /// What is wrong with the list of types, apart from their fields; see ``mistakes``.
  var ownMistakes: [DomainMistake] = []
  /// Hold the fingerprint and the journal's forms after their first use: a catalogue does not change.
  let fingerprintCache = Memo<Digest>()
  let journalCache = Memos<StateDescriptor?, JournalDomain>()

  /// Numbers and names must be unique; the order of `entries` does not matter. Of two types with one number or name the first
  /// stays, and ``mistakes`` names both.
  public init(_ entries: [EventDescriptor], state: StateDescriptor? = nil) {
    self.state = state
    var kept: [EventDescriptor] = []
    var numbers: [String: UInt32] = [:]
    // Sorting keeps the order of equal numbers.
    for entry in entries.sorted(by: { $0.number < $1.number }) {
      if let last = kept.last, last.number == entry.number {
        ownMistakes.append(DomainMistake("event type \(entry.number) is both \(last.name) and \(entry.name)"))
      } else if let other = numbers[entry.name] {
        ownMistakes.append(DomainMistake("event types \(other) and \(entry.number) are both \(entry.name)"))
      } else {
        numbers[entry.name] = entry.number
        kept.append(entry)
      }
    }
    self.entries = kept
  }

  /// The entry with this number; `nil` if the catalogue has none. O(log n).
  public subscript(number: UInt32) -> EventDescriptor? {
    index(of: number).map { entries[$0] }
  }

  /// Where the entry with this number stands.
  @usableFromInline
  func index(of number: UInt32) -> Int? {
    var low = 0
    var high = entries.count
    while low < high {
      let middle = (low + high) / 2
      if entries[middle].number < number { low = middle + 1 } else { high = middle }
    }
    return low < entries.count && entries[low].number == number ? low : nil
  }
}

/// A value computed on first use.
final class Memo<Value: Sendable>: Sendable {
  private let known = Mutex<Value?>(nil)

  func value<Failure: Error>(_ compute: () throws(Failure) -> Value) throws(Failure) -> Value {
    try known.withLock { (known) throws(Failure) in
      if let known { return known }
      let value = try compute()
      known = value
      return value
    }
  }
}

/// Values computed on first use, one for each key.
final class Memos<Key: Equatable & Sendable, Value: Sendable>: Sendable {
  private let known = Mutex<[(key: Key, value: Value)]>([])

  func value<Failure: Error>(_ key: Key, _ compute: () throws(Failure) -> Value) throws(Failure) -> Value {
    try known.withLock { (known) throws(Failure) in
      if let found = known.first(where: { $0.key == key }) { return found.value }
      let value = try compute()
      known.append((key, value))
      return value
    }
  }
}

/// One event type: an entry of an ``EventCatalog``.
public struct EventDescriptor: Sendable {
  /// The type's number in a journal. Never reused.
  public let number: UInt32
  /// The name people use: two words separated by a dot, such as `policy.received`.
  public let name: String
  /// The version of the body's schema that this program writes, from 1.
  public let version: UInt32
  /// What a program that does not know this type must do with its events.
  public let unknownReaders: UnknownReaderRule
  /// The body's fields.
  public let body: MessageDescriptor
  /// What the event records, in one sentence.
  public let meaning: String
  /// What the reader can do about it, if anything.
  public let remedy: String?

  /// Only `remedy` may be omitted.
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
  /// A reader that leaves the event out derives a wrong state: it must stop and name the program it needs.
  case mustUnderstand = 1
}

/// The fields of a message: an event's body, or a part of one.
public struct MessageDescriptor: Sendable {
  /// The message's name in the published schema, in upper camel case.
  public let name: String
  /// The fields in the order of their numbers.
  public let fields: [FieldDescriptor]
  /// The number of the text that names what stands beside it, as the key of a configured value does; `nil` if there is none.
  package let namingField: Int?
  /// How the parts of its tree are named; `nil` for those that have the names of the fields.
  package private(set) var keys: PartKeys?
  /// What is wrong with the fields, as clauses that name each; see ``EventCatalog/mistakes``.
  var faults: [String] = []

  /// `fields` must be in the order of their numbers. One that is not is left out, and ``EventCatalog/mistakes`` names it.
  public init(_ name: String, _ fields: [FieldDescriptor]) {
    var kept: [FieldDescriptor] = []
    kept.reserveCapacity(fields.count)
    for field in fields {
      guard let last = kept.last, last.number >= field.number else {
        kept.append(field)
        continue
      }
      faults.append(
        last.number == field.number
          ? "\(last.place) and field \(field.name) have one number"
          : "\(field.place) comes after field \(last.number), \(last.name); fields are visited in the order of their numbers"
      )
    }
    self.name = name
    self.fields = kept
    namingField = kept.first { $0.name == "key" || $0.name == "name" }.flatMap { field in
      if case .string = field.type { field.number } else { nil }
    }
  }
}

extension MessageDescriptor {
  /// The same fields under another name.
  @usableFromInline
  func named(_ name: String) -> MessageDescriptor {
    var message = MessageDescriptor(name, fields)
    message.faults = faults
    message.keys = keys
    return message
  }

  /// The same fields for a message whose parts are named by keys.
  ///
  /// - Parameters:
  ///   - privacy: Who may see the keys.
  ///   - content: The number of the field of an element that is the part; `nil` for the element itself.
  @usableFromInline
  func keyed(_ privacy: Privacy, content: Int? = nil) -> MessageDescriptor {
    var message = self
    message.keys = PartKeys(privacy: privacy, content: content)
    return message
  }

  /// The keys that name the parts of a table or a dictionary in paths.
  package struct PartKeys: Sendable {
    /// Who may see them.
    package let privacy: Privacy
    /// The number of the field of an element that is the part; `nil` for the element itself.
    package let content: Int?
  }
}

/// One field of a message.
public struct FieldDescriptor: Sendable {
  /// The field's number on the wire.
  public let number: Int
  /// The field's name, in lower camel case; the published schema spells it in snake case.
  public let name: String
  /// The scalar, enumeration or message it holds.
  public let type: FieldType
  /// What the type leaves unsaid.
  public let refinement: FieldRefinement?
  /// How often it may occur, and whether absence differs from the default value.
  public let cardinality: Cardinality
  /// Who may see the value.
  public let privacy: Privacy
  /// Its meaning in one phrase, with unit and range.
  public let meaning: String
  /// Whether it is ``Personal`` in this program.
  var isPersonal = false

  /// How often a field may occur, with the number that stands for it in fingerprints and catalogues.
  public enum Cardinality: UInt64, Sendable {
    /// Once; absence means the default value.
    case single = 0
    /// Once or not at all; absence carries meaning.
    case optional = 1
    /// Any number of times, in order, not packed.
    case repeated = 2
  }

  /// `number` is the field's tag on the wire; it must be unique within the message.
  public init(
    _ number: Int, _ name: String, _ type: FieldType, refinement: FieldRefinement? = nil,
    _ cardinality: Cardinality = .single, privacy: Privacy = .public, _ meaning: String
  ) {
    self.number = number
    self.name = name
    self.type = type
    self.refinement = refinement
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
  /// `uint64`: the number by which the journal refers to something that lasts, such as an account. Zero means none.
  case reference(ReferenceDescriptor)
  /// `uint64`: the position of an event in the journal. Zero means no event.
  case sequence
  /// An enumeration; a number without a name is printed as the number.
  case enumeration(EnumerationDescriptor)
  /// An embedded message.
  case message(MessageDescriptor)
}

/// A kind of thing that events refer to by number, such as the accounts of a domain.
public struct ReferenceDescriptor: Hashable, Sendable {
  /// What it is called, in lower camel case.
  public let name: String
  /// What precedes the number in print.
  public let prefix: String

  /// `name` and `prefix` are the domain's words, such as `account` and `a`. The name is not that of a scalar type, such as
  /// `string`.
  public init(_ name: String, prefix: String) {
    self.name = name
    self.prefix = prefix
  }

  /// The printed form of a number, such as `a1`; `none` for zero.
  public func text(_ number: UInt64) -> String { number == 0 ? "none" : prefix + String(number) }
}

/// The names of an enumeration's numbers.
public struct EnumerationDescriptor: Sendable {
  /// The enumeration's name in the published schema, in upper camel case.
  public let name: String
  /// The members in the order of their numbers.
  public let members: [(number: UInt64, name: String)]

  /// `members` must be in the order of their numbers.
  public init(_ name: String, _ members: [(number: UInt64, name: String)]) {
    self.name = name
    self.members = members
  }

  /// The name of a member; `nil` for a number the enumeration does not list.
  public func name(of number: UInt64) -> String? {
    // Most enumerations are numbered from 0 without gaps.
    if number < UInt64(members.count), members[Int(number)].number == number { return members[Int(number)].name }
    var (low, high) = (0, members.count)
    while low < high {
      let middle = (low + high) / 2
      if members[middle].number < number { low = middle + 1 } else { high = middle }
    }
    return low < members.count && members[low].number == number ? members[low].name : nil
  }
}

/// A catalogue entry without the fields of the body, as an event type declares it.
public struct EventEntry: Sendable {
  /// The type's number in a journal. Never reused.
  public let number: UInt32
  /// The name people use: two words separated by a dot, such as `policy.received`.
  public let name: String
  /// The version of the body's schema that this program writes, from 1.
  public let version: UInt32
  /// What a program that does not know this type must do with its events.
  public let unknownReaders: UnknownReaderRule
  /// What the event records, in one sentence.
  public let meaning: String
  /// What the reader can do about it, if anything.
  public let remedy: String?

  /// Creates an entry, at no cost where only the number is used.
  @inlinable
  public init(
    _ number: UInt32, _ name: String, version: UInt32 = 1, unknownReaders: UnknownReaderRule = .mustUnderstand,
    meaning: String, remedy: String? = nil
  ) {
    self.number = number
    self.name = name
    self.version = version
    self.unknownReaders = unknownReaders
    self.meaning = meaning
    self.remedy = remedy
  }
}

extension EventDescriptor {
  /// The entry with the fields of its body.
  public init(_ entry: EventEntry, body: MessageDescriptor) {
    self.init(
      entry.number, entry.name, version: entry.version, unknownReaders: entry.unknownReaders, body: body,
      meaning: entry.meaning, remedy: entry.remedy)
  }
}

/// What computes the states of a history: the revision of the rules, and the slices of a state.
///
/// The catalogue in each segment of a journal holds it beside the event types, so that a later program knows what the
/// digests in the segment cover, and an earlier one which slices it would have to understand.
public struct StateDescriptor: Hashable, Sendable {
  /// The revision of the rules, from 1.
  public let revision: UInt32
  /// The slices, in the order of their digests.
  public let slices: [Slice]

  /// One slice.
  public struct Slice: Hashable, Sendable {
    /// The slice's name.
    public let name: String
    /// What a program without the slice must do: leave it out of its states, or compute none.
    public let unknownReaders: UnknownReaderRule

    /// Describes a slice.
    public init(_ name: String, unknownReaders: UnknownReaderRule = .mustUnderstand) {
      self.name = name
      self.unknownReaders = unknownReaders
    }
  }

  /// `revision` counts from 1.
  public init(revision: UInt32, slices: [Slice]) {
    self.revision = revision
    self.slices = slices
  }
}
