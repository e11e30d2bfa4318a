import AppProtection
import JSON

/// Decides whether two documents agree on a setting.
extension PolicyProperty {
  /// Whether two policies agree. A setting that is absent, `null` or an empty list counts as unset; the order of a set
  /// and repeated elements do not matter; `15` and `15.0` are the same version.
  public func isSame(in one: PolicyDocument, as other: PolicyDocument) -> Bool {
    meaning(in: one) == meaning(in: other)
  }

  private func meaning(in policy: PolicyDocument) -> PolicyValue? {
    guard case .value(let value) = policy[self] else { return nil }
    switch value {
    case .text(let text): return meaning(of: text)
    case .choices(let numbers): return numbers.isEmpty ? nil : .choices(Set(numbers).sorted())
    case .texts(let texts): return texts.isEmpty ? nil : .texts(Set(texts).sorted())
    case .pairs(let pairs):
      // The texts of custom settings belong to the app, and semicolons in them have no known meaning.
      let isList = combination == .intersection
      let sets = isList ? pairs.map { PolicyPair($0.name, $0.value.map(Self.set), typeName: $0.typeName) } : pairs
      return pairs.isEmpty ? nil : .pairs(Self.sorted(sets) { "\($0.name)\n\($0.value ?? "")" })
    case .apps(let apps):
      return apps.isEmpty ? nil : .apps(Self.sorted(apps) { "\($0.bundleID ?? "")\n\($0.id ?? "")" })
    case .assignments(let assignments):
      return assignments.isEmpty ? nil : .assignments(Self.sorted(assignments) { "\($0.words)\n\($0.id ?? "")" })
    case .flag, .number, .duration, .date, .choice, .flags: return value
    }
  }

  private func meaning(of text: String) -> PolicyValue? {
    switch combination {
    case .higherVersion, .lowerVersion:
      guard !PolicyVersionNumber.isUnset(text) else { return nil }
      guard text.allSatisfy({ $0 == "." || ($0.isASCII && $0.isWholeNumber) }),
        let version = PolicyVersionNumber(text)
      else { return .text(text) }
      return .text(version.numbers.map { "\($0)" }.joined(separator: "."))
    case .intersection: return text.isEmpty ? nil : .text(Self.set(text))
    case .notCombined, .onWins, .offWins, .strictestChoice, .smallestNumber, .largestNumber, .shortestDuration,
      .shortestLimit, .strictestGroup, .firstGiven:
      return text.isEmpty ? nil : .text(text)
    }
  }

  /// A list separated by semicolons, sorted and without duplicates.
  private static func set(_ text: String) -> String { Set(PolicyText.list(text)).sorted().joined(separator: ";") }

  private static func sorted<Element: Hashable>(_ elements: [Element], by key: (Element) -> String) -> [Element] {
    Set(elements).map { (key: key($0), element: $0) }.sorted { $0.key < $1.key }.map(\.element)
  }
}

extension KeptMember {
  /// Whether the member describes the response rather than the policy: an annotation of OData's, such as `@odata.type` and
  /// `assignments@odata.context`, one of Graph's, such as `@microsoft.graph.tips`, or an action, such as
  /// `#microsoft.graph.assign`. Any other name with an `@` in it is a member like all others.
  public var describesResponse: Bool {
    name.hasPrefix("#") || name.hasPrefix("@microsoft.graph.")
      || (name.contains("@") && !JSONExcerpt.containsAddress(name))
  }

  /// Whether two kept members agree, by the rules of ``PolicyProperty/isSame(in:as:)``; `nil` means an absent member.
  /// Only for members of Graph is it known which ones are sets.
  public static func isSame(_ one: KeptMember?, as other: KeptMember?) -> Bool {
    switch (one?.meaning, other?.meaning) {
    case (nil, nil): true
    case (let one?, let other?): one.isEquivalent(to: other)
    case (nil, _?), (_?, nil): false
    }
  }

  private var meaning: JSONValue? {
    guard let value = try? JSONDocument.parse(json).value else { return .string(json) }
    guard !value.isNull, value.array?.isEmpty != true, value.string?.isEmpty != true else { return nil }
    let plain = Self.plain(value)
    guard GraphMember.named(name) != nil, let elements = plain.array else { return plain }
    return .array(elements.sorted { $0.description < $1.description })
  }

  /// The value with unneeded fractions removed from numbers.
  private static func plain(_ value: JSONValue) -> JSONValue {
    switch value.content {
    case .number(let number):
      let parts = number.text.split(separator: ".", omittingEmptySubsequences: false)
      guard parts.count == 2, parts[1].allSatisfy({ $0 == "0" }), let whole = Int64(parts[0]) else { return value }
      return .number(whole)
    case .array(let elements): return .array(elements.map(plain))
    case .object(let object):
      return .object(object.members.map { JSONObject.Member($0.name, plain($0.value)) })
    case .string, .bool, .null: return value
    }
  }
}
