/// Turns the fields of a message into members of a tree.
@usableFromInline
struct FieldPresenter: FieldVisitor {
  @usableFromInline typealias Failure = Never

  /// The members so far.
  @usableFromInline var members: [StateTree.Member] = []

  @inlinable
  init() {}

  @usableFromInline
  mutating func add(_ name: StaticString, _ tree: StateTree?) {
    members.append(.init(name.description, tree ?? .value(.unset)))
  }

  @inlinable
  mutating func single<Coding: FieldCoding>(
    _ label: FieldLabel, _ value: inout Coding.Value, _ coding: Coding,
    unless standard: @autoclosure () -> Coding.Value?
  ) {
    guard label.isShown else { return }
    let isUnset = Coding.hidesDefault && Coding.isDefault(value)
    add(label.name, isUnset ? nil : Coding.tree(of: value, label.privacy))
  }

  @inlinable
  mutating func optional<Coding: FieldCoding>(_ label: FieldLabel, _ value: inout Coding.Value?, _ coding: Coding) {
    guard label.isShown else { return }
    if let value { add(label.name, Coding.tree(of: value, label.privacy)) } else { add(label.name, nil) }
  }

  @inlinable
  mutating func repeated<Coding: FieldCoding>(
    _ label: FieldLabel, _ values: inout [Coding.Value], _ coding: Coding,
    isInOrder: (Coding.Value, Coding.Value) -> Bool
  ) {
    guard label.isShown else { return }
    add(label.name, Self.tree(values, coding, label.privacy))
  }

  @inlinable
  mutating func table<Row: TableRow>(_ label: FieldLabel, _ table: inout StateTable<Row>) {
    if label.isShown { add(label.name, Self.tree(table)) }
  }

  @inlinable
  mutating func keyedTable<Row: KeyedRow>(_ label: FieldLabel, _ table: inout KeyedTable<Row>) {
    if label.isShown { add(label.name, KeyedSlot.tree(table.slots)) }
  }

  /// The tree of a table, whose members are its rows; `nil` for an empty one.
  @inlinable
  static func tree<Row: TableRow>(_ table: StateTable<Row>) -> StateTree? {
    table.isEmpty ? nil : .members(table.map { .init("\($0.key)", $0.tree()) })
  }

  /// The tree of a list; `nil` for an empty one.
  @inlinable
  static func tree<Coding: FieldCoding>(_ values: [Coding.Value], _ coding: Coding, _ privacy: Privacy) -> StateTree? {
    // Values form a list; messages, which a list cannot hold, are members named by their places from 1.
    var list: [StateValue] = []
    var parts: [StateTree.Member] = []
    for (index, element) in values.enumerated() {
      switch Coding.tree(of: element, privacy) {
      case .value(let value): list.append(value)
      case let part: parts.append(.init("\(index + 1)", part))
      }
    }
    return !parts.isEmpty ? .members(parts) : list.isEmpty ? nil : .value(.list(list))
  }

  @inlinable
  mutating func shown(_ name: StaticString, _ tree: @autoclosure () -> StateTree) {
    add(name, tree())
  }

  @inlinable
  mutating func shown<Part: Message>(_ number: Int, _ name: StaticString, part: Part) {
    add(name, part.tree())
  }
}
