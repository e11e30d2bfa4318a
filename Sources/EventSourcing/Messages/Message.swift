import WireFormat

/// A value that a journal stores as a Protocol Buffers message: a body, or a part of one.
///
/// Most are a ``FieldList``, which provides all of this.
public protocol Message: FieldValue, Sendable {
  /// The message's fields, as the published schema states them.
  static var descriptor: MessageDescriptor { get }

  /// Writes the fields in the order of their numbers: equal messages give equal bytes.
  func encode(into writer: inout WireWriter)

  /// Reads the fields, in any order; unknown ones are skipped.
  init(from reader: inout WireReader) throws(WireError)

  /// The message for people.
  func tree() -> StateTree

  /// The part of the tree at a path of names, the whole tree for none; `nil` if nothing is there.
  ///
  /// The default extracts it from the tree; that of a ``FieldTree`` builds no other part.
  func part(at names: ArraySlice<Substring>) -> StateTree?

  /// Adds what differs between this message and a later one to a difference of states.
  ///
  /// The default compares their trees; that of a ``FieldTree`` compares field by field.
  func compare(with later: Self, at place: StatePlace, _ differ: StateDiffer)

  /// Passes the personal data in the message to be sealed or opened.
  ///
  /// The default of a ``FieldList`` passes its ``Personal`` fields, and that of a ``FormedMessage`` those of its form; other
  /// messages have none.
  mutating func passPersonal(to pass: inout PersonalPass) throws(SealingError)
}

/// A message that lists its fields in one place. Its encoder, decoder, schema and tree come from the list.
public protocol FieldList: Message {
  /// The value that reading begins with: required fields hold anything, others what their absence means.
  static var blank: Self { get }

  /// Shows each field to a visitor, in the order of the numbers.
  ///
  /// A visitor that reads sees the list once as long as the fields come in this order, and once more for each field
  /// that does not: reading time is proportional to the number of bytes, for any bytes.
  static func visit<Visitor: FieldVisitor>(_ message: inout Self, _ field: inout Visitor) throws(Visitor.Failure)

  /// The names of the stored properties that ``visit(_:_:)`` does not show because they follow from its fields. The default is
  /// none: in a debug build, no journal opens as long as any other property has no field.
  static var derivedProperties: [String] { get }
}

/// A message that is written as the fields of another type, such as a choice between alternatives.
public protocol FormedMessage: Message {
  /// The fields on the wire.
  associatedtype Form: FieldList

  /// This message's fields.
  var form: Form { get }

  /// Creates the message that the fields represent.
  init(_ form: Form)
}

extension FieldList {
  /// None.
  public static var derivedProperties: [String] { [] }

  /// Visits the fields.
  @inlinable
  public mutating func passPersonal(to pass: inout PersonalPass) throws(SealingError) {
    try Self.visit(&self, &pass)
  }

  /// Writes the fields in the order of the list.
  @inlinable
  public func encode(into writer: inout WireWriter) {
    var copy = self
    Self.visit(&copy, &writer)
  }

  /// Reads the fields, in any order; unknown ones are skipped.
  @inlinable
  public init(from reader: inout WireReader) throws(WireError) {
    // Read in place: reading into a variable would copy the message.
    self = Self.blank
    var fields = FieldReader(reader)
    try Self.visit(&self, &fields)
    if !fields.reader.isAtEnd { try Self.visitRest(&self, &fields) }
    reader = fields.reader
    try fields.checkRequired()
  }

  /// Reads the fields, beginning with the first one that is out of the list's order. That is too rare for code of its own in
  /// each message.
  @usableFromInline
  static func visitRest(_ message: inout Self, _ fields: inout FieldReader) throws(WireError) {
    try fields.readRest { (seeker) throws(WireError) in try visit(&message, &seeker) }
  }

  /// The fields, under the name of the type.
  @inlinable
  public static var descriptor: MessageDescriptor {
    var blank = blank
    var fields = FieldDescriber()
    visit(&blank, &fields)
    return fields.message(_typeName(Self.self, qualified: false), listFaults)
  }

  /// The fields that are shown, in the order of the list.
  @inlinable
  public func tree() -> StateTree {
    var copy = self
    var fields = FieldPresenter()
    Self.visit(&copy, &fields)
    return .members(fields.members)
  }
}

extension FormedMessage {
  /// The fields of the form, under the name of the message.
  @inlinable
  public static var descriptor: MessageDescriptor {
    Form.descriptor.named(_typeName(Self.self, qualified: false))
  }

  /// Writes the form.
  @inlinable
  public func encode(into writer: inout WireWriter) {
    form.encode(into: &writer)
  }

  /// Reads the form.
  @inlinable
  public init(from reader: inout WireReader) throws(WireError) {
    self.init(try Form(from: &reader))
  }

  /// The form for people.
  @inlinable
  public func tree() -> StateTree { form.tree() }

  /// Passes the personal data in the form.
  public mutating func passPersonal(to pass: inout PersonalPass) throws(SealingError) {
    var form = form
    let before = pass.changeCount
    try form.passPersonal(to: &pass)
    if pass.changeCount != before { self = Self(form) }
  }
}

/// An embedded message. One that occurs once is always written: its presence is information.
public struct MessageCoding<Value: Message>: FieldCoding {
  @inlinable init() {}
  @inlinable public static var wireType: WireType { .lengthDelimited }
  @inlinable public static var type: FieldType { .message(Value.descriptor) }
  @inlinable public static func isDefault(_ value: Value) -> Bool { false }
  @inlinable public static var hasDefault: Bool { false }
  @inlinable
  public static func write(_ value: Value, to number: Int, of writer: inout WireWriter) {
    writer.write(number) { value.encode(into: &$0) }
  }
  @inlinable
  public static func read(_ field: WireReader.Field, from reader: inout WireReader) throws(WireError) -> Value? {
    try reader.message(field) { (inner) throws(WireError) in try Value(from: &inner) }
  }
  @inlinable
  public static func tree(of value: Value, _ privacy: Privacy) -> StateTree { value.tree() }
  @inlinable
  public static func compare(
    _ value: Value, _ later: Value, _ privacy: Privacy, at place: StatePlace, _ differ: StateDiffer
  ) {
    value.compare(with: later, at: place, differ)
  }
  @inlinable
  public static func part(of value: Value, _ privacy: Privacy, at names: ArraySlice<Substring>) -> StateTree? {
    value.part(at: names)
  }
  @inlinable
  public static func pass(_ value: inout Value, _ privacy: Privacy, to pass: inout PersonalPass) throws(SealingError) {
    try value.passPersonal(to: &pass)
  }
}

extension Message {
  /// Passes nothing.
  @inlinable
  public mutating func passPersonal(to pass: inout PersonalPass) throws(SealingError) {}

  /// Extracts the part from the tree.
  @inlinable
  public func part(at names: ArraySlice<Substring>) -> StateTree? { tree()[names: names] }

  /// Compares the trees.
  @inlinable
  public func compare(with later: Self, at place: StatePlace, _ differ: StateDiffer) {
    differ.compare(tree(), later.tree(), at: place)
  }

  /// An embedded message.
  @inlinable public static var coding: MessageCoding<Self> { MessageCoding() }
}
