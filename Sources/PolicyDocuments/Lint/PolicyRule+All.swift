import AppProtection

extension PolicyRule {
  /// Every rule, in the order in which findings are listed.
  public static let allCases: [PolicyRule] = {
    let rules: [PolicyRule] =
      transfer + links + conditions + versions + document + targets + android + windows + configuration + tenant
      + device + exports
    assert(Set(rules.map(\.id)).count == rules.count, "two rules have one name")
    return rules
  }()
}

extension LintNotes {
  /// Finds a number that its type holds and Graph does not allow.
  mutating func addNumber(_ name: String, of policy: PolicyDocument) {
    guard let property = policy.kind.platform.property(named: name),
      case .value(.number(let number)) = policy[property],
      let range = property.documentedRange, !range.contains(number)
    else { return }
    let words = "\(range.lowerBound) to \(range.upperBound)"
    add(
      name, "\(number) is outside \(words)",
      trying: [.setting("write a number from \(words)", name, to: .number(range.lowerBound))])
  }
}
