import WireFormat

/// Shows another visitor one field of a message.
///
/// As one that is always written: what reading a part of a state begins with may hold something else than the default.
@usableFromInline
struct FieldAt<Visitor: FieldVisitor>: FieldVisitor {
  @usableFromInline typealias Failure = Visitor.Failure
  /// How many fields precede the one to show.
  @usableFromInline var distance: Int
  @usableFromInline var visitor: Visitor

  @inlinable
  init(_ index: Int, _ visitor: Visitor) {
    distance = index
    self.visitor = visitor
  }

  @inlinable @inline(__always)
  mutating func isHere() -> Bool {
    defer { distance &-= 1 }
    return distance == 0
  }

  @inlinable @inline(__always)
  mutating func single<Coding: FieldCoding>(
    _ label: FieldLabel, _ value: inout Coding.Value, _ coding: Coding,
    unless standard: @autoclosure () -> Coding.Value?
  ) throws(Failure) {
    if isHere() { try visitor.single(label.alwaysWritten, &value, coding, unless: nil) }
  }

  @inlinable @inline(__always)
  mutating func optional<Coding: FieldCoding>(
    _ label: FieldLabel, _ value: inout Coding.Value?, _ coding: Coding
  ) throws(Failure) {
    if isHere() { try visitor.optional(label, &value, coding) }
  }

  @inlinable @inline(__always)
  mutating func repeated<Coding: FieldCoding>(
    _ label: FieldLabel, _ values: inout [Coding.Value], _ coding: Coding,
    isInOrder: (Coding.Value, Coding.Value) -> Bool
  ) throws(Failure) {
    if isHere() { try visitor.repeated(label, &values, coding, isInOrder: isInOrder) }
  }

  @inlinable @inline(__always)
  mutating func table<Row: TableRow>(_ label: FieldLabel, _ table: inout StateTable<Row>) throws(Failure) {
    if isHere() { try visitor.table(label, &table) }
  }

  @inlinable @inline(__always)
  mutating func keyedTable<Row: KeyedRow>(_ label: FieldLabel, _ table: inout KeyedTable<Row>) throws(Failure) {
    if isHere() { try visitor.keyedTable(label, &table) }
  }
}

/// Where one field of a message is: in the message, or in memory of its own if it is computed.
@usableFromInline
struct FieldPlace: FieldVisitor {
  @usableFromInline typealias Failure = Never
  /// The message's memory.
  @usableFromInline let memory: UnsafeRawBufferPointer
  @usableFromInline var type: any Any.Type = Never.self
  @usableFromInline var place: UnsafeMutableRawPointer?
  /// Ends the life of a copy.
  @usableFromInline var end: (() -> Void)?

  @inlinable
  init(in memory: UnsafeRawBufferPointer) { self.memory = memory }

  /// The value; `nil` if the field is of another type.
  @inlinable @inline(__always)
  func value<Value>(as: Value.Type) -> UnsafePointer<Value>? {
    type == Value.self ? place.map { UnsafePointer($0.assumingMemoryBound(to: Value.self)) } : nil
  }

  @inlinable @inline(__always)
  mutating func find<Value>(_ value: inout Value) {
    type = Value.self
    place = memory.address(ofStored: &value)
    if place == nil {
      let copy = UnsafeMutablePointer<Value>.allocate(capacity: 1)
      copy.initialize(to: value)
      place = UnsafeMutableRawPointer(copy)
      end = {
        copy.deinitialize(count: 1)
        copy.deallocate()
      }
    }
  }

  @inlinable @inline(__always)
  mutating func single<Coding: FieldCoding>(
    _ label: FieldLabel, _ value: inout Coding.Value, _ coding: Coding,
    unless standard: @autoclosure () -> Coding.Value?
  ) { find(&value) }

  @inlinable @inline(__always)
  mutating func optional<Coding: FieldCoding>(_ label: FieldLabel, _ value: inout Coding.Value?, _ coding: Coding) {
    find(&value)
  }

  @inlinable @inline(__always)
  mutating func repeated<Coding: FieldCoding>(
    _ label: FieldLabel, _ values: inout [Coding.Value], _ coding: Coding,
    isInOrder: (Coding.Value, Coding.Value) -> Bool
  ) { find(&values) }

  @inlinable @inline(__always)
  mutating func table<Row: TableRow>(_ label: FieldLabel, _ table: inout StateTable<Row>) { find(&table) }
}

extension FieldList {
  /// Passes the place of one field to `body`. O(number of fields).
  @inlinable
  func withField<Result>(_ index: Int, _ body: (FieldPlace) -> Result) -> Result {
    var message = self
    return withUnsafeMutablePointer(to: &message) { message in
      let memory = UnsafeRawBufferPointer(start: message, count: MemoryLayout<Self>.size)
      var field = FieldAt(index, FieldPlace(in: memory))
      Self.visit(&message.pointee, &field)
      defer { field.visitor.end?() }
      return body(field.visitor)
    }
  }
}

/// Compares a field with that of another message: whether both are encoded alike.
///
/// Swift's `==` of strings ignores how a letter is composed, so equal values with other bits are encoded to be compared.
@usableFromInline
struct FieldEquality: FieldVisitor {
  @usableFromInline typealias Failure = Never
  @usableFromInline let other: FieldPlace
  @usableFromInline var isEqual = false

  @inlinable
  init(_ other: FieldPlace) { self.other = other }

  @inlinable @inline(__always)
  mutating func compare<Value: Equatable>(_ value: inout Value, _ write: (Value, inout WireWriter) -> Void) {
    guard let other = other.value(as: Value.self) else { return }
    isEqual = withUnsafePointer(to: &value) { SameBits.areSame($0, other, MemoryLayout<Value>.size) }
    if isEqual || value != other.pointee { return }
    var (one, two) = (WireWriter(), WireWriter())
    write(value, &one)
    write(other.pointee, &two)
    isEqual = one.bytes == two.bytes
  }

  @inlinable
  mutating func single<Coding: FieldCoding>(
    _ label: FieldLabel, _ value: inout Coding.Value, _ coding: Coding,
    unless standard: @autoclosure () -> Coding.Value?
  ) {
    compare(&value) { Coding.write($0, to: label.number, of: &$1) }
  }

  @inlinable
  mutating func optional<Coding: FieldCoding>(_ label: FieldLabel, _ value: inout Coding.Value?, _ coding: Coding) {
    compare(&value) { (value, writer) in
      var value = value
      writer.optional(label, &value, coding)
    }
  }

  @inlinable
  mutating func repeated<Coding: FieldCoding>(
    _ label: FieldLabel, _ values: inout [Coding.Value], _ coding: Coding,
    isInOrder: (Coding.Value, Coding.Value) -> Bool
  ) {
    compare(&values) { (values, writer) in
      for value in values { Coding.write(value, to: label.number, of: &writer) }
    }
  }

  @inlinable
  mutating func table<Row: TableRow>(_ label: FieldLabel, _ table: inout StateTable<Row>) {
    guard let other = other.value(as: StateTable<Row>.self) else { return }
    isEqual = StateTable.areEncodedAlike(table, other.pointee)
  }
}

/// Gives a field the value of that of another message.
@usableFromInline
struct FieldAssignment: FieldVisitor {
  @usableFromInline typealias Failure = Never
  @usableFromInline let other: FieldPlace

  @inlinable
  init(_ other: FieldPlace) { self.other = other }

  @inlinable @inline(__always)
  func assign<Value>(to value: inout Value) {
    if let other = other.value(as: Value.self) { value = other.pointee }
  }

  @inlinable
  mutating func single<Coding: FieldCoding>(
    _ label: FieldLabel, _ value: inout Coding.Value, _ coding: Coding,
    unless standard: @autoclosure () -> Coding.Value?
  ) { assign(to: &value) }

  @inlinable
  mutating func optional<Coding: FieldCoding>(_ label: FieldLabel, _ value: inout Coding.Value?, _ coding: Coding) {
    assign(to: &value)
  }

  @inlinable
  mutating func repeated<Coding: FieldCoding>(
    _ label: FieldLabel, _ values: inout [Coding.Value], _ coding: Coding,
    isInOrder: (Coding.Value, Coding.Value) -> Bool
  ) { assign(to: &values) }

  @inlinable
  mutating func table<Row: TableRow>(_ label: FieldLabel, _ table: inout StateTable<Row>) { assign(to: &table) }
}
