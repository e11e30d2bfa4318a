/// The properties that a value's storage has and reading it back must give again.
enum StoredProperty {
  /// The name in code of a mirrored property: that of a wrapped one begins with an underscore.
  static func name(_ label: String?) -> String {
    guard let label else { return "" }
    return label.hasPrefix("_") ? String(label.dropFirst()) : label
  }

  /// The path of the first property in which two values differ; empty if the values themselves differ, and `nil` if none differs
  /// but those that lists of fields say are derived.
  static func firstDifference(_ value: Any, _ other: Any) -> [String]? {
    if areEqual(value, other) { return nil }
    guard let pairs = parts(of: value, and: other) else { return [] }
    // A number that is none equals nothing, itself neither.
    if pairs.isEmpty { return areEqual(value, value) || areEqual(other, other) ? [] : nil }
    for pair in pairs {
      guard let path = firstDifference(pair.value, pair.other) else { continue }
      return (pair.name.map { [$0] } ?? []) + path
    }
    return nil
  }

  /// Whether both are equal, or nothing can tell: what cannot be compared is not said to differ.
  private static func areEqual(_ value: Any, _ other: Any) -> Bool {
    func isEqual<Value: Equatable>(_ value: Value) -> Bool {
      value == other as? Value
    }
    if let value = value as? any Equatable { return isEqual(value) }
    return Mirror(reflecting: value).children.isEmpty && Mirror(reflecting: other).children.isEmpty
  }

  /// The parts to look at for a difference, with the names that a developer gave them; `nil` if the values have other parts.
  private static func parts(of value: Any, and other: Any) -> [(name: String?, value: Any, other: Any)]? {
    if let dictionary = value as? any Entries { return dictionary.pairs(with: other) }
    if value is any StringProtocol || value is any FieldValue && !(value is any Message) { return [] }
    if let list = value as? any Collection, let other = other as? any Collection {
      let (elements, others) = (Self.elements(list), Self.elements(other))
      return elements.count == others.count ? zip(elements, others).map { (nil, $0, $1) } : nil
    }
    let (mirror, mirrorOfOther) = (Mirror(reflecting: value), Mirror(reflecting: other))
    let (children, others) = (Array(mirror.children), Array(mirrorOfOther.children))
    guard children.count == others.count, zip(children, others).allSatisfy({ $0.label == $1.label }) else { return nil }
    let derived = (type(of: value) as? any FieldList.Type)?.derivedProperties ?? []
    let isNamed = mirror.displayStyle == .struct || mirror.displayStyle == .tuple
    return zip(children, others).compactMap { (child, other) in
      let name = name(child.label)
      return derived.contains(name) ? nil : (isNamed ? name : nil, child.value, other.value)
    }
  }

  private static func elements(_ list: some Collection) -> [Any] { list.map { $0 } }
}

/// A dictionary. Equal ones may have their entries in different orders.
private protocol Entries {
  /// The values by their keys; `nil` if the other one has other keys.
  func pairs(with other: Any) -> [(name: String?, value: Any, other: Any)]?
}

extension Dictionary: Entries {
  fileprivate func pairs(with other: Any) -> [(name: String?, value: Any, other: Any)]? {
    guard let other = other as? Self, count == other.count else { return nil }
    let pairs = compactMap { entry in
      other[entry.key].map { (name: String?.none, value: entry.value as Any, other: $0 as Any) }
    }
    return pairs.count == count ? pairs : nil
  }
}
