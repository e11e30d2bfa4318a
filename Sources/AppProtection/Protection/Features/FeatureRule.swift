/// The rules of features that one setting allows or blocks: `printing.1` and so on, the same for each.
///
/// Sources: printing S002 Printing; contactSync, widgets, spotlight, siri and appSharing H:IntuneMAMPolicy and D; backup D;
/// genmoji and writingTools G.
struct FeatureRule: DecisionRule {
  enum Kind: UInt8 {
    /// S004 Identity overview.
    case unmanaged
    case allowed
    case blocked
    /// H: in an app with several identities, keeping contacts out is the app's responsibility.
    case blockedByApp
  }

  var feature: ProtectedFeature
  var kind: Kind

  /// The rule that only contacts have, and the three of every feature.
  static var allCases: [FeatureRule] {
    [FeatureRule(feature: .contactSync, kind: .blockedByApp)]
      + ProtectedFeature.allCases.flatMap { feature in
        [Kind.unmanaged, .allowed, .blocked].map { FeatureRule(feature: feature, kind: $0) }
      }
  }

  var number: UInt8 { kind == .blockedByApp ? 0 : 1 + feature.row.number * 3 + kind.rawValue }

  @inline(__always)
  var row: RuleRow<Permission> {
    let feature = feature.row
    let isSending = feature.blocking == nil
    return switch kind {
    case .unmanaged:
      RuleRow("{name}.1", .allowed, "no policy is in force for the account", when: "{account} is unmanaged")
    case .allowed:
      RuleRow(
        "{name}.2", .allowed,
        isSending
          ? "the account may send data to all apps, which allows {feature}"
          : "the account's policy does not block {feature}",
        unless: "{account}'s policy blocks {feature}", reads: .setting(feature.setting))
    case .blocked:
      RuleRow(
        "{name}.3", .denied,
        isSending
          ? "the account may not send data to all apps, which blocks {feature}"
          : "the account's policy blocks {feature}",
        when: "{account}'s policy blocks {feature}", reads: .setting(feature.setting))
    case .blockedByApp:
      RuleRow(
        "{name}.4", .denied,
        "the account's policy blocks {feature}, and the app, which has several identities, must see to it",
        when: "{account}'s policy blocks {feature}", reads: .multiIdentity, .setting(feature.setting))
    }
  }

  func filled(_ text: StaticString) -> String {
    "\(text)".filled { name in
      switch name {
      case "name": feature.rawValue
      case "feature": "\(feature.row.phrase)"
      case _: nil
      }
    }
  }
}
