/// A list of fields whose tree is that of its fields: it defines no ``Message/tree()`` of its own.
///
/// Two of them are compared field by field, and no tree is built of fields that are equal. Conformance says nothing else, so
/// leaving it out is always right, and slower.
public protocol FieldTree: FieldList {}

extension FieldTree {
  /// Compares field by field.
  @inlinable
  public func compare(with later: Self, at place: StatePlace, _ differ: StateDiffer) {
    let counts = differ.diff.counts
    let first = differ.values.count
    var (message, last) = (self, later)
    let isWhole = withUnsafeMutablePointer(to: &message) { message in
      var collector = FieldCollector(
        differ.values, of: UnsafeRawBufferPointer(start: message, count: MemoryLayout<Self>.size))
      Self.visit(&message.pointee, &collector)
      var fields = FieldComparer(differ, at: place, first: first)
      Self.visit(&last, &fields)
      // The collected fields are in the message's own memory.
      differ.values.removeAll(from: first)
      return fields.hasVisitedAll
    }
    if !isWhole {
      // The list depends on its values, so the fields do not correspond.
      differ.diff.shorten(to: counts)
      differ.compare(tree(), later.tree(), at: place)
    }
  }
}

extension FieldTree {
  /// Builds no other part.
  @inlinable
  public func part(at names: ArraySlice<Substring>) -> StateTree? {
    guard let name = names.first else { return tree() }
    var message = self
    var finder = FieldFinder(name, names.dropFirst())
    Self.visit(&message, &finder)
    return finder.found
  }
}

/// Collects the shown fields of a message, without copying those that are stored in it.
@usableFromInline
struct FieldCollector: FieldVisitor {
  @usableFromInline typealias Failure = Never
  @usableFromInline let values: ValueStack
  /// The message's memory.
  @usableFromInline let memory: UnsafeRawBufferPointer

  /// - Parameter memory: That of the message. It must stay as it is until its fields are removed from the stack.
  @inlinable
  init(_ values: ValueStack, of memory: UnsafeRawBufferPointer) {
    self.values = values
    self.memory = memory
  }

  @inlinable
  mutating func single<Coding: FieldCoding>(
    _ label: FieldLabel, _ value: inout Coding.Value, _ coding: Coding,
    unless standard: @autoclosure () -> Coding.Value?
  ) {
    if label.isShown { values.push(&value, in: memory) }
  }

  @inlinable
  mutating func optional<Coding: FieldCoding>(_ label: FieldLabel, _ value: inout Coding.Value?, _ coding: Coding) {
    if label.isShown { values.push(&value, in: memory) }
  }

  @inlinable
  mutating func repeated<Coding: FieldCoding>(
    _ label: FieldLabel, _ values: inout [Coding.Value], _ coding: Coding,
    isInOrder: (Coding.Value, Coding.Value) -> Bool
  ) {
    if label.isShown { self.values.push(&values, in: memory) }
  }

  @inlinable
  mutating func table<Row: TableRow>(_ label: FieldLabel, _ table: inout StateTable<Row>) {
    if label.isShown { values.push(&table, in: memory) }
  }

  @inlinable
  mutating func shown(_ name: StaticString, _ tree: @autoclosure () -> StateTree) { values.push(tree()) }

  @inlinable
  mutating func shown<Part: Message>(_ number: Int, _ name: StaticString, part: Part) { values.push(part) }
}

/// Compares the shown fields of a message with those collected from an earlier one, in the same order.
@usableFromInline
struct FieldComparer: FieldVisitor {
  @usableFromInline typealias Failure = Never
  @usableFromInline let differ: StateDiffer
  @usableFromInline let place: StatePlace
  /// Whether that is the place of the only field, and not that of the message.
  @usableFromInline let isOfField: Bool
  /// The next collected field, and the number of those that were collected.
  @usableFromInline var next: Int
  @usableFromInline let end: Int
  /// Whether each field so far has the type of the one collected in its place.
  @usableFromInline var fits = true

  @inlinable
  init(_ differ: StateDiffer, at place: StatePlace, first: Int) {
    self.init(differ, place, isOfField: false, first: first)
  }

  /// Compares one field, at a place of its own.
  @inlinable
  init(_ differ: StateDiffer, atFieldAt place: StatePlace, first: Int) {
    self.init(differ, place, isOfField: true, first: first)
  }

  @inlinable
  init(_ differ: StateDiffer, _ place: StatePlace, isOfField: Bool, first: Int) {
    self.differ = differ
    self.place = place
    self.isOfField = isOfField
    next = first
    end = differ.values.count
  }

  @inlinable @inline(__always)
  func part(_ label: FieldLabel) -> StatePlace {
    isOfField ? place : differ.part(label.number, label.name, of: place)
  }

  /// Whether every collected field was compared.
  @inlinable var hasVisitedAll: Bool { fits && next == end }

  /// A copy of the earlier value in the place of the next field; `nil` if it is equal, or of another type.
  @inlinable @inline(__always)
  mutating func earlier<Value: Equatable>(unlike value: inout Value) -> Value? {
    guard fits, next < end, let place = differ.values.place(next, of: Value.self) else {
      fits = false
      return nil
    }
    next += 1
    // Most fields are the same to the last bit, which is seen without counting references.
    if withUnsafePointer(to: &value, { SameBits.areSame($0, place, MemoryLayout<Value>.size) }) { return nil }
    return place.pointee == value ? nil : place.pointee
  }

  @inlinable
  mutating func single<Coding: FieldCoding>(
    _ label: FieldLabel, _ value: inout Coding.Value, _ coding: Coding,
    unless standard: @autoclosure () -> Coding.Value?
  ) {
    guard label.isShown, let old = earlier(unlike: &value) else { return }
    let part = part(label)
    guard Coding.hidesDefault, Coding.isDefault(old) || Coding.isDefault(value) else {
      return Coding.compare(old, value, label.privacy, at: part, differ)
    }
    differ.compare(
      Coding.isDefault(old) ? .value(.unset) : Coding.tree(of: old, label.privacy),
      Coding.isDefault(value) ? .value(.unset) : Coding.tree(of: value, label.privacy), at: part)
  }

  @inlinable
  mutating func optional<Coding: FieldCoding>(_ label: FieldLabel, _ value: inout Coding.Value?, _ coding: Coding) {
    guard label.isShown, let old = earlier(unlike: &value) else { return }
    let part = part(label)
    if let old, let value { return Coding.compare(old, value, label.privacy, at: part, differ) }
    differ.compare(
      old.map { Coding.tree(of: $0, label.privacy) } ?? .value(.unset),
      value.map { Coding.tree(of: $0, label.privacy) } ?? .value(.unset), at: part)
  }

  @inlinable
  mutating func repeated<Coding: FieldCoding>(
    _ label: FieldLabel, _ values: inout [Coding.Value], _ coding: Coding,
    isInOrder: (Coding.Value, Coding.Value) -> Bool
  ) {
    guard label.isShown, let old = earlier(unlike: &values) else { return }
    differ.compare(
      FieldPresenter.tree(old, coding, label.privacy) ?? .value(.unset),
      FieldPresenter.tree(values, coding, label.privacy) ?? .value(.unset),
      at: part(label))
  }

  @inlinable
  mutating func table<Row: TableRow>(_ label: FieldLabel, _ table: inout StateTable<Row>) {
    guard label.isShown, let old = earlier(unlike: &table) else { return }
    let part = part(label)
    let differ = differ
    let haveSameKeys = StateTable.forEachDifference(old, table) { row, next in
      row.compare(with: next, at: differ.part(key: row.key, { "\(row.key)" }, of: part), differ)
    }
    if haveSameKeys { return }
    var (before, after) = (old, table)
    // An empty table has no members, which differs from one that has.
    if !before.isEmpty, !after.isEmpty { StateTable.leaveOutCommonRows(&before, &after) }
    // A table of common rows alone has no member that differs, and is not empty.
    func tree(_ rows: StateTable<Row>, of whole: StateTable<Row>) -> StateTree {
      FieldPresenter.tree(rows) ?? (whole.isEmpty ? .value(.unset) : .members([]))
    }
    differ.compare(tree(before, of: old), tree(after, of: table), at: part)
  }

  @inlinable
  mutating func keyedTable<Row: KeyedRow>(_ label: FieldLabel, _ table: inout KeyedTable<Row>) {
    guard label.isShown, let old = earlier(unlike: &table.slots) else { return }
    KeyedSlot.compare(old, table.slots, at: part(label), differ)
  }

  @inlinable
  mutating func shown(_ name: StaticString, _ tree: @autoclosure () -> StateTree) {
    guard fits, next < end, let old = differ.values.place(next, of: StateTree.self) else {
      fits = false
      return
    }
    next += 1
    let tree = tree()
    if old.pointee != tree { differ.compare(old.pointee, tree, at: differ.part(shownAs: name, of: place)) }
  }

  @inlinable
  mutating func shown<Part: Message>(_ number: Int, _ name: StaticString, part: Part) {
    var part = part
    guard let old = earlier(unlike: &part) else { return }
    old.compare(with: part, at: differ.part(number, name, of: place), differ)
  }
}
