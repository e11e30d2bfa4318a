import EventSourcing

extension PolicyDocument {
  /// The policy for people: the kind, every setting that the document mentions by its name in Graph, and under
  /// `otherMembers` the members kept as JSON. A setting that is `null` is `unset`.
  public func tree() -> StateTree { tree(of: PolicyProperty.all) }

  /// The same with these settings alone.
  func tree(of properties: [PolicyProperty]) -> StateTree {
    var members = [StateTree.Member("kind", .name(kind.rawValue))]
    for property in properties {
      switch self[property] {
      case .absent: break
      case .null: members.append(StateTree.Member(property.name, .unset))
      case .value(let value): members.append(StateTree.Member(property.name, property.tree(of: value)))
      }
    }
    if !keptMembers.isEmpty {
      let kept = keptMembers.map { member in
        StateTree.Member(
          Self.pathComponent(member.name),
          member.isSecret
            ? .personal(member.json, .secret)
            : member.isPersonal ? .personal(member.json, .account) : .text(member.json))
      }
      members.append(StateTree.Member("otherMembers", .members(kept)))
    }
    return .members(members)
  }

  /// The settings whose trees tell how a later document differs: building those of all takes many times as long.
  func settings(unlike later: PolicyDocument) -> [PolicyProperty] {
    let settings = changedProperties(from: later)
    let areNew = settings.contains { self[$0] == .absent }
    let areGone =
      settings.contains { later[$0] == .absent } || later.keptMembers.isEmpty && !keptMembers.isEmpty
    // The order of differences depends on the settings in between only where some are new and others gone.
    return areNew && areGone ? PolicyProperty.all : settings
  }

  /// A name as a path component: `/` and `~` are written as JSON Pointer writes them (RFC 6901), an empty name as `~`.
  static func pathComponent(_ name: String) -> String {
    guard !name.isEmpty else { return "~" }
    var text = ""
    for scalar in name.unicodeScalars {
      switch scalar {
      case "~": text += "~0"
      case "/": text += "~1"
      default: text.unicodeScalars.append(scalar)
      }
    }
    return text
  }
}

extension PolicyProperty {
  /// A value of this setting for people.
  func tree(of value: PolicyValue) -> StateTree {
    switch value {
    case .text(let text): .value(shown(text))
    case .flag(let flag): .value(.bool(flag))
    case .number(let number): .value(.integer(number))
    case .duration(let duration): .value(.duration(duration.nanoseconds))
    case .date(let date): .value(date.nanoseconds.map { .time($0) } ?? .text(date.text))
    case .choice(let number): .value(.name(name(of: number)))
    case .choices(let numbers): .value(.list(numbers.map { .name(name(of: $0)) }))
    case .flags(let bits): .value(.list(flagNames(of: bits).map { .name($0) }))
    case .texts(let texts): .value(.list(texts.map(shown)))
    case .pairs(let pairs):
      keyed(pairs, by: \.name) { pair in
        guard let text = pair.value else { return .value(.unset) }
        // Only an organization's own names say that something is a secret.
        return .value(privacy != .public && pair.isSecret ? .personal(text, .secret) : shown(text))
      }
    case .apps(let apps):
      keyed(apps, by: { $0.id ?? $0.bundleID ?? "" }) { app in
        Self.members([("version", app.version.map { .text($0) }), ("bundleId", app.bundleID.map { .text($0) })])
      }
    case .assignments(let assignments):
      keyed(assignments, by: { $0.id ?? $0.groupID ?? "" }) { item in
        Self.members([
          ("target", item.targetTypeName.map { .text($0) }), ("groupId", item.groupID.map(shown)),
          ("filterId", item.filterID.map(shown)), ("filterType", item.filterType.map { .text($0) }),
        ])
      }
    }
  }

  /// The names of the bits that are set, or the name of the empty set; bits without a name as numbers.
  func flagNames(of bits: UInt64) -> [String] {
    guard case .flags(let names) = kind else { return [] }
    guard bits != 0 else { return names.name(of: 0).map { [$0] } ?? [] }
    return (0..<64).compactMap { bit in
      let number = UInt64(1) << UInt64(bit)
      return bits & number == 0 ? nil : names.name(of: number) ?? "\(number)"
    }
  }

  /// The name of a choice, or its number where it has none.
  package func name(of number: UInt64) -> String { kind.names?.name(of: number) ?? "\(number)" }

  private func shown(_ text: String) -> StateValue {
    privacy == .public ? .text(text) : .personal(text, privacy)
  }

  private static func members(_ values: [(String, StateValue?)]) -> StateTree {
    .members(values.compactMap { name, value in value.map { StateTree.Member(name, $0) } })
  }

  /// Elements as members that are found again when the list is reordered: under their key, or, where the key is empty
  /// or taken, under their place in the list, from 1, after a number sign.
  private func keyed<Element>(
    _ elements: [Element], by key: (Element) -> String, _ tree: (Element) -> StateTree
  ) -> StateTree {
    var taken: Set<String> = []
    return .members(
      elements.enumerated().map { index, element in
        let wanted = key(element)
        let isFree = !wanted.isEmpty && !wanted.hasPrefix("#") && taken.insert(wanted).inserted
        let name = isFree ? PolicyDocument.pathComponent(wanted) : "#\(index + 1)"
        return StateTree.Member(name, tree(element))
      })
  }
}
