extension EventCatalog {
  /// Why this catalogue and another of the same domain cannot both be right about the same bytes; `nil` if they can.
  ///
  /// In a domain, a number means one thing for ever. Catalogues contradict each other where one number has two meanings:
  ///
  /// - an event type has another name;
  /// - a field of a type, or of a message within it, has another name or type, or only one of the two allows it any number
  ///   of times;
  /// - a reference is to another kind of thing;
  /// - a member of an enumeration has another name.
  ///
  /// What only one of the two has contradicts nothing, and neither do other versions, sentences, prefixes, privacy
  /// classes, rules for unknown readers, and names of messages and enumerations. So catalogues to which types, fields and
  /// members were added are compatible, in both directions.
  ///
  /// - Parameter other: The catalogue to compare with.
  /// - Returns: The first difference as a clause, with the meaning here first: `event type 2 is "money.deposited", not
  ///   "wipe.filesRemoved"`.
  public func contradiction(to other: EventCatalog) -> String? {
    for (mine, its) in InStep(entries, other.entries, by: \.number) {
      if mine.name != its.name { return "event type \(mine.number) is \"\(mine.name)\", not \"\(its.name)\"" }
      if let difference = mine.body.contradiction(to: its.body) { return "in \(mine.name), \(difference)" }
    }
    return nil
  }
}

extension MessageDescriptor {
  /// The first field with another meaning in another description of the same message.
  fileprivate func contradiction(to other: MessageDescriptor) -> String? {
    for (mine, its) in InStep(fields, other.fields, by: \.number) {
      if let difference = mine.contradiction(to: its) { return difference }
    }
    return nil
  }
}

extension FieldDescriptor {
  fileprivate func contradiction(to other: FieldDescriptor) -> String? {
    if name != other.name { return "field \(number) is \"\(name)\", not \"\(other.name)\"" }
    if kindName != other.kindName {
      return "field \(number), \(name), is of type \(kindName), not \(other.kindName)"
    }
    if (cardinality == .repeated) != (other.cardinality == .repeated) {
      return "field \(number), \(name), is \(cardinality == .repeated ? "" : "not ")repeated"
    }
    if case .message(let mine) = type, case .message(let its) = other.type {
      return mine.contradiction(to: its).map { "in \(name), \($0)" }
    }
    if case .enumeration(let mine) = type, case .enumeration(let its) = other.type {
      let difference = InStep(mine.members, its.members, by: \.number).first { $0.name != $1.name }
      return difference.map { "member \($0.number) of \(name) is \"\($0.name)\", not \"\($1.name)\"" }
    }
    return nil
  }
}

extension FieldDescriptor {
  /// The type with its refinement: what may not differ.
  private var kindName: String { refinement.map { "\($0)" } ?? type.kindName }
}

extension FieldType {
  /// The type, and of a reference what it refers to: what may not differ.
  fileprivate var kindName: String {
    switch self {
    case .bool, .unsigned, .signed, .string, .json, .bytes, .guid, .time, .duration, .sequence: name
    case .reference(let kind): "reference to \(kind.name)"
    case .enumeration: "enumeration"
    case .message: "message"
    }
  }
}

/// The pairs of elements with the same number in two lists that are ordered by it.
private struct InStep<Element, Number: Comparable>: Sequence, IteratorProtocol {
  private var one: ArraySlice<Element>
  private var other: ArraySlice<Element>
  private let number: (Element) -> Number

  init(_ one: [Element], _ other: [Element], by number: @escaping (Element) -> Number) {
    (self.one, self.other, self.number) = (one[...], other[...], number)
  }

  mutating func next() -> (Element, Element)? {
    while let mine = one.first, let its = other.first {
      let (left, right) = (number(mine), number(its))
      if left <= right { one.removeFirst() }
      if right <= left { other.removeFirst() }
      if left == right { return (mine, its) }
    }
    return nil
  }
}
