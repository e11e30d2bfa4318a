import AppProtection

extension PolicyProperty {
  /// Values that a document may have and that differ from having none, the loosest and the strictest among them.
  var extremes: [PolicyValue] {
    switch kind {
    case .flag: [.flag(false), .flag(true)]
    case .number(let range): [.number(range.lowerBound), .number(range.upperBound)]
    case .choice(let names): names.members.filter { $0.number != Self.unrecognized }.map { .choice($0.number) }
    case .choices(let names): [.choices(names.members.map(\.number).filter { $0 != Self.unrecognized })]
    case .flags(let names): [.flags(names.members.reduce(0) { $0 | $1.number })]
    case .texts: [.texts(["other"])]
    case .pairs: [.pairs([PolicyPair("other", "other")])]
    case .text: [.text("other")]
    case .duration: ["PT0S", "PT1H", "P9999D"].compactMap { try? PolicyDuration($0) }.map { .duration($0) }
    case .date: []
    case .apps: [.apps([PolicyApp()])]
    case .assignments: [.assignments([PolicyAssignment()])]
    }
  }

  /// The number that every enumeration keeps for names that are not known.
  private static let unrecognized = RemediationAction.unrecognizedNumber
}
