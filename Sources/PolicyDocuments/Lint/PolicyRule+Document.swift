import AppProtection
import JSON
import PlainText

/// Rules of the document rather than of one of its settings.
extension PolicyRule {
  /// The rules of this file, in the order in which findings are listed.
  static let document: [PolicyRule] = [
    placeholder, unknownValue, notAssigned, noApps, otherPlatform, unknownMember,
  ]

  /// A template's text was not replaced.
  public static let placeholder = PolicyRule(
    "placeholder", .error, "No text is left in from a template.", "DERIVED"
  ) { subject, notes in
    let found: (setting: String, element: Int?, text: String)?
    switch subject {
    case .setting(let property, let value):
      found = PolicyLint.placeholder(in: value, of: property.name).map { (property.name, nil, $0) }
    case .text(let setting, let element, let text):
      found = TemplateText.mustBeReplaced(text) ? (setting, element, text) : nil
    case .part, .scheme, .prescription, .version, .patchLevel, .bounds, .maximum, .app, .targets, .configuration:
      found = nil
    }
    guard let found else { return }
    notes.add(
      found.setting, element: found.element, "\(JSONExcerpt.quoted(found.text)) was left in from a template",
      remedy: "write a value, or remove it")
  }

  /// A value is not known.
  public static let unknownValue = PolicyRule(
    "unknownValue", .warning, "Values are those that are known; decisions take another one for the strictest.",
    "G enumerations"
  ) { subject, notes in
    guard case .setting(let property, let value) = subject, value.isUnknown else { return }
    notes.add(
      property.name, "it has a value that is not known, which decisions take for the strictest",
      trying: property.knownMembers.map { member in
        .policy(member.name) { $0[property] = .value(property.value(of: member.number)) }
      }, after: "write ", separatedBy: " or ")
  }

  /// The policy is assigned to no group.
  public static let notAssigned = PolicyRule(
    "notAssigned", .note, "A policy has no effect until it is assigned to a group.", "G managedAppProtection",
    in: .targeting
  ) { policy, notes in
    let targeting = policy.targeting
    if targeting.isAssigned == false, targeting.assignments?.contains(where: \.isInclusion) == true {
      notes.add(
        "isAssigned", "it is false, and assignments lists a group, so that one of the two is wrong",
        remedy: "export the policy again, with its assignments")
    } else if targeting.isAssigned == false || targeting.assignments?.isEmpty == true {
      notes.add(
        targeting.isAssigned == false ? "isAssigned" : "assignments", "the policy is assigned to no group",
        remedy: "assign it, unless it is a draft")
    }
  }

  /// The policy targets no app.
  public static let noApps = PolicyRule(
    "noApps", .note, "A policy applies to nothing until it has apps.", "G managedAppProtection", in: .targeting
  ) { policy, notes in
    let targeting = policy.targeting
    guard targeting.appGroupType ?? .selectedPublicApps == .selectedPublicApps,
      targeting.apps.map(\.isEmpty) ?? (targeting.deployedAppCount == 0)
    else { return }
    notes.add(
      targeting.apps == nil ? "deployedAppCount" : "apps", "the policy has no apps",
      remedy: "select apps, unless it is a draft")
  }

  /// A member belongs to another platform.
  public static let otherPlatform = PolicyRule(
    "otherPlatform", .note, "Settings of another platform have no effect.",
    "G managed app policies of every platform", in: .members
  ) { policy, notes in
    let kept = Set(policy.keptNames { $0.json != "null" })
    let foreign = GraphMember.all.filter { member in
      member.foreignPlatform(for: notes.platform.graphType) != nil
        && (kept.contains(member.name) || policy.hasValue(member.name))
    }
    // A policy that was made for another platform is one mistake.
    var homes: [String] = []
    for member in foreign where !homes.contains(member.home) { homes.append(member.home) }
    for home in homes {
      let names = foreign.filter { $0.home == home }.map(\.name)
      let more = names.dropFirst()
      let others = more.isEmpty ? "" : "; so \(more.count == 1 ? "is" : "are") \(Self.list(more))"
      notes.add(
        names[0], "\(home), without effect here\(others)",
        remedy: policy.kind == .defaultPolicy
          ? "keep it for the other platform, if that is meant" : "remove it, or set it in a policy for that platform")
    }
  }

  /// The most names in one message.
  private static let mostNamed = 8

  private static func list(_ names: ArraySlice<String>) -> String {
    let rest = names.count - mostNamed
    return names.prefix(mostNamed).joined(separator: ", ") + (rest > 0 ? " and \(rest) more" : "")
  }

  /// A member is not known.
  public static let unknownMember = PolicyRule(
    "unknownMember", .warning, "Members are those that Graph documents, or annotations.", graph, in: .members
  ) { policy, notes in
    let unknown = policy.keptNames { GraphMember.named($0.name) == nil && DeviceSetting.named($0.name) == nil }
    // The most that are listed individually.
    let most = 100
    for name in unknown.prefix(most) {
      let near = policy.intended(by: name)
      notes.add(
        JSONExcerpt.plain(name), "nothing is known by this name",
        trying: near.map { near in
          [.policy("write \(near), if that is meant") { $0.rename(name, to: near) }]
        } ?? [], otherwise: "remove it, if it is a mistake")
    }
    guard unknown.count > most else { return }
    notes.add(
      JSONExcerpt.plain(unknown[most]),
      "nothing is known by this name, nor by \(unknown.count - most - 1) more",
      remedy: "look whether this is a policy")
  }
}

extension GraphMember {
  /// The platforms whose policies have the member, as a phrase.
  fileprivate var home: String {
    if types.contains([.ios, .android]) { return "a setting of iOS and Android" }
    return types.contains(.ios)
      ? "an iOS setting" : types.contains(.android) ? "an Android setting" : "a Windows setting"
  }
}

extension PolicyDocument {
  /// The setting that an unknown member may mean: one that the document does not have, and that can hold the value.
  fileprivate func intended(by name: String) -> String? {
    guard let member = keptMembers.first(where: { $0.name.utf8.elementsEqual(name.utf8) }) else { return nil }
    let present = Set(keptMembers.map(\.name))
    let names = GraphMember.all.map(\.name).filter { !present.contains($0) && !hasValue($0) }
    let near = EditDistance.nearest(to: name, in: names, limit: 1).first
    guard let property = near.flatMap(kind.platform.property), property.canHold(member) else { return nil }
    return near
  }

  /// Reads an unknown member as the setting that it may mean.
  fileprivate mutating func rename(_ name: String, to setting: String) {
    guard let place = keptMembers.firstIndex(where: { $0.name.utf8.elementsEqual(name.utf8) }),
      let property = kind.platform.property(named: setting)
    else { return }
    let member = keptMembers.remove(at: place)
    self[property] = property.kind.value(kept: member).map { .value($0) } ?? .null
  }

  /// The names of kept members. Annotations and actions belong to OData; names of properties are kept for what their
  /// typed value cannot hold.
  fileprivate func keptNames(where isWanted: (KeptMember) -> Bool) -> [String] {
    keptMembers.filter { !$0.describesResponse && isWanted($0) }.map(\.name)
  }

  /// Whether the document has a value for the property with this name.
  fileprivate func hasValue(_ name: String) -> Bool {
    guard let property = kind.platform.property(named: name), case .value = self[property] else { return false }
    return true
  }
}

extension PolicyValue {
  fileprivate var isUnknown: Bool {
    switch self {
    case .choice(let number): number == DataTransferLevel.unrecognizedNumber
    case .choices(let numbers): numbers.contains(DataTransferLevel.unrecognizedNumber)
    case .flags(let bits): bits & ManagedBrowsers.unrecognized.rawValue != 0
    case .flag, .number, .text, .texts, .duration, .date, .pairs, .apps, .assignments: false
    }
  }
}

extension PolicyProperty {
  fileprivate var knownMembers: [(number: UInt64, name: String)] {
    switch kind {
    case .choice(let names), .choices(let names), .flags(let names):
      names.members.filter { $0.name != "unrecognized" && $0.name != "unknownFutureValue" }
    case .text, .flag, .number, .duration, .date, .texts, .pairs, .apps, .assignments: []
    }
  }

  /// The value that has one member of its enumeration.
  fileprivate func value(of number: UInt64) -> PolicyValue {
    switch kind {
    case .choices: .choices([number])
    case .flags: .flags(number)
    case .choice, .text, .flag, .number, .duration, .date, .texts, .pairs, .apps, .assignments: .choice(number)
    }
  }
}
