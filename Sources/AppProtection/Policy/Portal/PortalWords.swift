/// Values in the portal's words. A value that no page of the portal offers keeps its name in Graph.
package enum PortalWords {
  package static let unknown = "(a value that is not known)"

  /// A choice in the portal's words, or its name in Graph.
  package static func choice<Choice: PolicyChoice>(_ choice: Choice?, _ words: KeyValuePairs<Choice, String>) -> String?
  {
    choice.map { words.value(for: $0) ?? ($0 == .unrecognized ? unknown : $0.rawValue) }
  }

  package static let actions: KeyValuePairs<RemediationAction, String> = [
    .block: "Block access", .wipe: "Wipe data", .warn: "Warn",
    .blockWhenSettingIsSupported: "Block access (where the setting is supported)",
  ]

  package static func action(_ action: RemediationAction?) -> String? { choice(action, actions) }

  /// Text; empty text counts as unset.
  package static func text(_ text: String?) -> String? { text.flatMap { $0.isEmpty ? nil : $0 } }

  /// A version; `0.0` counts as unset. A text that does not begin with a number is marked.
  package static func version(_ text: String?) -> String? {
    guard let text, !PolicyVersionNumber.isUnset(text) else { return nil }
    return PolicyVersionNumber(text) == nil ? "\(text) (not a version)" : text
  }

  /// A list of names; `empty` is the text for an empty one.
  package static func list(_ texts: [String]?, empty: String = "0 selected") -> String? {
    texts.map { $0.isEmpty ? empty : $0.joined(separator: ", ") }
  }

  /// Scope tags; `0` is the default one.
  package static func scopeTags(_ ids: [String]?) -> String? {
    list(ids?.map { $0 == "0" ? "Default" : $0 }, empty: "None")
  }

  /// Whether something is deployed, with a note if its groups contradict that. The flag concerns included groups.
  package static func deployed(_ isAssigned: Bool?, _ assignments: [PolicyAssignment]?) -> String? {
    guard isAssigned == false, assignments?.contains(where: \.isInclusion) == true else {
      return isAssigned.map { $0 ? "Yes" : "No" }
    }
    return "No, although a group is listed"
  }

  /// The groups to which something is assigned.
  package static func groups(_ assignments: [PolicyAssignment]?) -> String? {
    list(assignments?.map(\.words), empty: "None")
  }

  /// A length of time in one unit, or the original text if it is not a whole number of units.
  package static func duration(_ duration: PolicyDuration?, in unit: Unit) -> String? {
    guard let duration else { return nil }
    let (count, rest) = duration.nanoseconds.quotientAndRemainder(dividingBy: unit.nanoseconds)
    return rest == 0 ? "\(count) \(unit.rawValue)\(count == 1 ? "" : "s")" : duration.text
  }

  /// The units of the portal.
  package enum Unit: String {
    case minute
    case day

    var nanoseconds: Int64 { self == .minute ? 60_000_000_000 : 86_400_000_000_000 }
  }

  /// The portal's names for the flags in a set.
  package static func flags<Flags: PolicyFlags>(_ flags: Flags?, _ words: KeyValuePairs<UInt64, String>) -> String? {
    guard let flags else { return nil }
    guard flags.rawValue != 0 else { return words.value(for: 0) ?? "None" }
    var parts = Flags.names.filter { $0.number != 0 && flags.rawValue & $0.number != 0 }.map {
      words.value(for: $0.number) ?? $0.name
    }
    if flags.rawValue & Flags.unrecognized.rawValue != 0 { parts.append(unknown) }
    return parts.joined(separator: ", ")
  }

  /// The nonempty words, separated by commas.
  package static func joined(_ parts: String?...) -> String? { text(parts.compactMap { $0 }.joined(separator: ", ")) }

  /// Lists Graph settings whose combination matches no choice in the portal.
  package static func noChoice(_ level: DataTransferLevel?, _ beside: [(String, Bool?)]) -> String? {
    let set = beside.filter { $0.1 == true }.map(\.0)
    guard let level else { return set.isEmpty ? nil : "No level, beside \(set.joined(separator: " and "))" }
    let name = level == .unrecognized ? unknown : level.rawValue
    return set.isEmpty ? name : "No choice of the portal: \(name) beside \(set.joined(separator: " and "))"
  }
}

extension KeyValuePairs where Key: Equatable {
  /// The value of a key. The words are pairs, and no dictionary: a dictionary's type takes a quarter of a million
  /// instructions to make for each type of choice when the table of settings is built, and each has few words.
  fileprivate func value(for key: Key) -> Value? { first { $0.key == key }?.value }
}
