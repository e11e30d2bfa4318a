/// Visits an event type and its fields on behalf of a ``FieldVisitor``.
///
/// An ``EventList`` calls ``event(_:_:_:version:unknownReaders:_:)`` once for each type, and `field` for each of its
/// fields. Unlike the calls of a ``FieldVisitor``, these return the value, so that a case is taken apart and put together
/// in one expression.
public struct EventVisitor<Fields: FieldVisitor> {
  @usableFromInline var fields: Fields
  /// The type that was visited.
  @usableFromInline var label: EventLabel?

  @inlinable
  init(_ fields: Fields) {
    self.fields = fields
  }

  /// An event of a type.
  ///
  /// - Parameters:
  ///   - number: The type's number in a journal. Never reused.
  ///   - name: Two words separated by a dot, such as `money.deposited`.
  ///   - event: The event with the visited fields.
  ///   - version: The version of the body's schema, from 1. Events of the versions before it are read as this one without
  ///     the later fields.
  ///   - unknownReaders: What a program that does not know the type must do with its events.
  ///   - meaning: What the event records, in one sentence.
  @inlinable @inline(__always)
  public mutating func event<Event>(
    _ number: UInt32, _ name: StaticString, _ event: Event, version: UInt32 = 1,
    unknownReaders: UnknownReaderRule = .mustUnderstand, _ meaning: StaticString = ""
  ) -> Event {
    label = EventLabel(
      number: number, name: name, version: version, unknownReaders: unknownReaders, meaning: meaning)
    return event
  }

  /// A field that occurs once, such as a flag, a number, a text, a choice or a message.
  ///
  /// - Parameters:
  ///   - required: Whether a body without the field is refused. Number 1...63.
  ///   - always: Whether the field is written even if it holds the default of its type: for one whose absence means
  ///     something else.
  @inlinable @inline(__always)
  public mutating func field<Value: FieldValue>(
    _ number: Int, _ name: StaticString, _ value: Value, required: Bool = false, always: Bool = false,
    privacy: Privacy = .public, _ meaning: StaticString = ""
  ) throws(Fields.Failure) -> Value {
    var value = value
    try fields(number, name, &value, required: required, always: always, privacy: privacy, meaning)
    return value
  }

  /// The same with a coding other than that of the type, such as `as: .time`.
  @inlinable @inline(__always)
  public mutating func field<Coding: FieldCoding>(
    _ number: Int, _ name: StaticString, _ value: Coding.Value, as coding: Coding, always: Bool = false,
    privacy: Privacy = .public, _ meaning: StaticString = ""
  ) throws(Fields.Failure) -> Coding.Value {
    var value = value
    try fields(number, name, &value, as: coding, always: always, privacy: privacy, meaning)
    return value
  }

  /// A field that occurs once or not at all.
  @inlinable @inline(__always)
  public mutating func field<Value: FieldValue>(
    _ number: Int, _ name: StaticString, _ value: Value?, privacy: Privacy = .public, _ meaning: StaticString = ""
  ) throws(Fields.Failure) -> Value? {
    var value = value
    try fields(number, name, &value, privacy: privacy, meaning)
    return value
  }

  /// The same with a coding other than that of the type, such as `as: .time`.
  @inlinable @inline(__always)
  public mutating func field<Coding: FieldCoding>(
    _ number: Int, _ name: StaticString, _ value: Coding.Value?, as coding: Coding, privacy: Privacy = .public,
    _ meaning: StaticString = ""
  ) throws(Fields.Failure) -> Coding.Value? {
    var value = value
    try fields(number, name, &value, as: coding, privacy: privacy, meaning)
    return value
  }

  /// A field of personal data, which can be sealed.
  @inlinable @inline(__always)
  public mutating func field<Value: PersonalValue>(
    _ number: Int, _ name: StaticString, _ value: Personal<Value>, privacy: Privacy, _ meaning: StaticString = ""
  ) throws(Fields.Failure) -> Personal<Value> {
    var value = value
    try fields(number, name, &value, privacy: privacy, meaning)
    return value
  }

  /// A field that occurs any number of times, in the order of the list.
  @inlinable @inline(__always)
  public mutating func field<Value: FieldValue>(
    _ number: Int, _ name: StaticString, _ values: [Value], privacy: Privacy = .public, _ meaning: StaticString = ""
  ) throws(Fields.Failure) -> [Value] {
    var values = values
    try fields(number, name, &values, privacy: privacy, meaning)
    return values
  }
}
