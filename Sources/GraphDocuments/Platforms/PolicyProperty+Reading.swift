import AppProtection
import EventSourcing
import JSON

/// What a member of an exported policy says.
enum ValueReading {
  /// The value, as Graph writes it.
  case value(PolicyValue)
  /// The value that another form stands for.
  case restated(PolicyValue, JSONValue)
  /// Nothing certain, and why.
  case unknown(PolicyDocumentError)
}

extension PolicyProperty {
  /// Reads a value that is not `null`, in whatever form a program wrote it.
  func reading(_ node: JSONNode, on platform: PolicyPlatform) -> ValueReading {
    let failure: PolicyDocumentError
    do throws(PolicyDocumentError) {
      let value = try value(graph: node, on: platform)
      guard value.hasUnknownName, let names = kind.names else { return .value(value) }
      let named = kind.named(node.value, in: names)
      if let known = try? self.value(graph: JSONNode(named, path: node.path), on: platform), !known.hasUnknownName {
        return .restated(known, named)
      }
      return .value(value)
    } catch {
      failure = error
    }
    for candidate in candidates(for: node.value) {
      if let value = try? value(graph: JSONNode(candidate, path: node.path), on: platform), !value.hasUnknownName {
        return .restated(value, candidate)
      }
    }
    return .unknown(failure)
  }

  /// What a value may stand for, as far as one of this kind can.
  private func candidates(for value: JSONValue) -> [JSONValue] {
    switch kind {
    case .text:
      if let element = value.array?.first, value.array?.count == 1 { return [element] + candidates(for: element) }
      if let texts = value.array?.compactMap(\.string), texts.count == value.array?.count, !texts.isEmpty,
        Self.semicolonLists.contains(name)
      {
        return [JSONValue(.string(texts.joined(separator: ";")), at: value.position)]
      }
      return value.number.map { [JSONValue(.string($0.text), at: value.position)] } ?? []
    case .choice(let names), .choices(let names), .flags(let names):
      return ([value] + RestatedValue.candidates(for: value)).map { kind.named($0, in: names) }
    // A text with separators may be one text or several.
    case .texts where value.string.map({ $0.contains { ",; ".contains($0) } }) ?? false: return []
    // An object with none of the members of an app or an assignment is neither.
    case .apps where value.object.map({ $0["id"] == nil && $0["mobileAppIdentifier"] == nil }) ?? false: return []
    case .assignments where value.object.map({ $0["target"] == nil }) ?? false: return []
    case .flag, .number, .duration, .date, .texts, .pairs, .apps, .assignments:
      return RestatedValue.candidates(for: value)
    }
  }

  /// The texts of which semicolons separate the entries.
  private static let semicolonLists: Set<String> = ["allowedIosDeviceModels", "allowedAndroidDeviceManufacturers"]
}

extension PolicyProperty.Kind {
  /// A value in which names of an enumeration have Graph's case, as one text or as a list, whichever this kind needs.
  fileprivate func named(_ value: JSONValue, in names: EnumerationDescriptor) -> JSONValue {
    func spelled(_ name: Substring) -> String {
      let name = name.drop { $0 == " " }
      return names.members.first { $0.name.lowercased() == name.lowercased() }?.name ?? String(name)
    }
    let texts: [String]
    if let elements = value.array {
      texts = elements.compactMap(\.string).map { spelled($0[...]) }
      guard texts.count == elements.count else { return value }
    } else if let text = value.string {
      texts = text.split(whereSeparator: { ",; ".contains($0) }).map(spelled)
    } else {
      return value
    }
    guard !texts.isEmpty else { return value }
    switch self {
    case .choices: return JSONValue(.array(texts.map { .string($0) }), at: value.position)
    case .choice where texts.count != 1: return value
    case .flags, .choice: return JSONValue(.string(texts.joined(separator: ",")), at: value.position)
    case .text, .flag, .number, .duration, .date, .texts, .pairs, .apps, .assignments: return value
    }
  }
}

extension PolicyValue {
  /// Whether it has a name that its enumeration does not.
  fileprivate var hasUnknownName: Bool {
    switch self {
    case .choice(let number): number == PolicyKind.unrecognizedNumber
    case .choices(let numbers): numbers.contains(PolicyKind.unrecognizedNumber)
    case .flags(let bits): bits & 1 << 31 != 0
    case .text, .flag, .number, .duration, .date, .texts, .pairs, .apps, .assignments: false
    }
  }
}
