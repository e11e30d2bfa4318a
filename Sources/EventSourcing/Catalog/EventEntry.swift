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
