/// An event type's description, apart from its fields. It owns nothing, so a visitor pays only for what it uses.
@usableFromInline
struct EventLabel: Sendable {
  @usableFromInline let number: UInt32
  @usableFromInline let name: StaticString
  @usableFromInline let version: UInt32
  @usableFromInline let unknownReaders: UnknownReaderRule
  @usableFromInline let meaning: StaticString

  @inlinable
  init(
    number: UInt32, name: StaticString, version: UInt32, unknownReaders: UnknownReaderRule, meaning: StaticString
  ) {
    self.number = number
    self.name = name
    self.version = version
    self.unknownReaders = unknownReaders
    self.meaning = meaning
  }
}
