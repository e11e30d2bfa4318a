import AppProtection
import JSON
import SensitiveText

/// A value in the portal's words, and what may be shown of it where it is withheld.
public struct PortalValue: Equatable, Sendable {
  /// The whole value.
  public let words: String
  /// Whether the words may name persons or places of an organization, as any words with an address in them may.
  public let isPrivate: Bool
  /// What names none of them, such as `2 groups, 1 excluded`; `nil` when nothing can be said.
  public let summary: String?
  /// The elements of a list or object, each as a text; `nil` for a single value.
  private let elements: [String]?

  init(_ words: String, isPrivate: Bool, summary: String? = nil, elements: [String]? = nil) {
    self.words = words
    self.isPrivate = isPrivate || TextPrivacy.identifies(words)
    self.summary = summary
    self.elements = elements
  }

  /// The value of a member that is kept as it came.
  public init(_ member: KeptMember) {
    let value = try? JSONDocument.parse(member.json).value
    let isSecret = member.isSecret
    self.init(
      isSecret ? SecretNames.placeholder : member.json, isPrivate: !isSecret && member.isPersonal,
      elements: value?.array?.map(\.description) ?? value?.object?.members.map { "\($0.name) \($0.value)" })
  }

  /// The values of several settings as one; `nil` without any.
  static func joined(_ values: [PortalValue]) -> PortalValue? {
    guard let first = values.first, values.count > 1 else { return values.first }
    return PortalValue(
      values.map(\.words).joined(separator: ", "), isPrivate: values.contains(where: \.isPrivate),
      summary: first.isPrivate ? nil : first.words)
  }

  /// How many elements this value has that `former` has not, and the reverse; one element is changed where one of the
  /// two is a single value.
  public func changes(from former: PortalValue) -> (added: Int, removed: Int) {
    guard let elements, let old = former.elements else { return (1, 1) }
    var count: [String: Int] = [:]
    for element in elements { count[element, default: 0] += 1 }
    for element in old { count[element, default: 0] -= 1 }
    return (count.values.reduce(0) { $0 + max($1, 0) }, count.values.reduce(0) { $0 + max(-$1, 0) })
  }
}

extension PortalSetting {
  /// The value in a policy; `nil` when the document does not have it, or has it as nothing.
  public func value(in policy: PolicyDocument) -> PortalValue? {
    guard let words = words(policy) else { return nil }
    let values = properties.compactMap { property in
      if case .value(let value) = policy[property], property.privacy != .public { value } else { nil }
    }
    guard isPrivate(in: policy), let value = values.first, values.count == 1 else {
      return PortalValue(words, isPrivate: isPrivate(in: policy))
    }
    switch value {
    case .assignments(let assignments):
      return PortalValue(
        words, isPrivate: true, summary: PolicyAssignment.summary(of: assignments), elements: assignments.map(\.words))
    case .pairs(let pairs):
      return PortalValue(
        words, isPrivate: true, summary: "\(pairs.count) setting\(pairs.count == 1 ? "" : "s")",
        elements: pairs.map { "\($0.name)\n\($0.value ?? "")" })
    case .texts(let texts):
      return PortalValue(words, isPrivate: true, summary: "\(texts.count) selected", elements: texts)
    case .text, .flag, .number, .duration, .date, .choice, .choices, .flags, .apps:
      return PortalValue(words, isPrivate: true)
    }
  }
}

extension ManagementDocument.Row {
  /// The value as it is shown.
  public var shown: PortalValue { PortalValue(value, isPrivate: isPrivate, summary: summary, elements: elements) }
}

extension AppConfigurationDocument.Setting {
  /// The value as it is shown.
  package var shown: PortalValue { PortalValue(isSecret ? SecretNames.placeholder : value ?? "", isPrivate: isPrivate) }
}
