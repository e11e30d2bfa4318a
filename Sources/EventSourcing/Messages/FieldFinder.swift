/// Finds a part of the tree of a message's fields by its path.
@usableFromInline
struct FieldFinder: FieldVisitor {
  @usableFromInline typealias Failure = Never
  /// The name of the member.
  @usableFromInline let name: Substring
  /// The names of the parts below.
  @usableFromInline let names: ArraySlice<Substring>
  /// What was found.
  @usableFromInline var found: StateTree?

  @inlinable
  init(_ name: Substring, _ names: ArraySlice<Substring>) {
    self.name = name
    self.names = names
  }

  @usableFromInline
  func isNamed(_ other: StaticString) -> Bool {
    found == nil && other.withUTF8Buffer { name.utf8.elementsEqual($0) }
  }

  @inlinable
  mutating func single<Coding: FieldCoding>(
    _ label: FieldLabel, _ value: inout Coding.Value, _ coding: Coding,
    unless standard: @autoclosure () -> Coding.Value?
  ) {
    guard label.isShown, isNamed(label.name) else { return }
    let isUnset = Coding.hidesDefault && Coding.isDefault(value)
    found = isUnset ? StateTree.value(.unset)[names: names] : Coding.part(of: value, label.privacy, at: names)
  }

  @inlinable
  mutating func optional<Coding: FieldCoding>(_ label: FieldLabel, _ value: inout Coding.Value?, _ coding: Coding) {
    guard label.isShown, isNamed(label.name) else { return }
    found = value.map { Coding.part(of: $0, label.privacy, at: names) } ?? StateTree.value(.unset)[names: names]
  }

  @inlinable
  mutating func repeated<Coding: FieldCoding>(
    _ label: FieldLabel, _ values: inout [Coding.Value], _ coding: Coding,
    isInOrder: (Coding.Value, Coding.Value) -> Bool
  ) {
    guard label.isShown, isNamed(label.name) else { return }
    found = (FieldPresenter.tree(values, coding, label.privacy) ?? .value(.unset))[names: names]
  }

  @inlinable
  mutating func table<Row: TableRow>(_ label: FieldLabel, _ table: inout StateTable<Row>) {
    guard label.isShown, isNamed(label.name) else { return }
    guard let name = names.first, !table.isEmpty else {
      found = (FieldPresenter.tree(table) ?? .value(.unset))[names: names]
      return
    }
    // Another spelling of the number names nothing.
    guard let key = UInt64(name), name == "\(key)" else { return }
    found = table.withRow(key: key) { $0.part(at: names.dropFirst()) } ?? nil
  }

  @inlinable
  mutating func keyedTable<Row: KeyedRow>(_ label: FieldLabel, _ table: inout KeyedTable<Row>) {
    guard label.isShown, isNamed(label.name) else { return }
    found =
      names.isEmpty || table.isEmpty
      ? (KeyedSlot.tree(table.slots) ?? .value(.unset))[names: names] : KeyedSlot.part(of: table.slots, at: names)
  }

  @inlinable
  mutating func shown(_ name: StaticString, _ tree: @autoclosure () -> StateTree) {
    if isNamed(name) { found = tree()[names: names] }
  }

  @inlinable
  mutating func shown<Part: Message>(_ number: Int, _ name: StaticString, part: Part) {
    if isNamed(name) { found = part.part(at: names) }
  }
}
