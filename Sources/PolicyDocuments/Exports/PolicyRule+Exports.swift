import AppProtection

/// Rules of exported files. Reading a file finds what they name, so they check no policy.
extension PolicyRule {
  /// The rules of this file, in the order in which findings are listed.
  static let exports: [PolicyRule] = [lostData, unreadableValue, otherForm, notJSON]

  /// The exporting program lost a value.
  public static let lostData = PolicyRule(
    "lostData", .error, "An export has every value, and no name of a type in its place.", "D ConvertTo-Json, Depth")

  /// A value says nothing certain.
  public static let unreadableValue = PolicyRule(
    "unreadableValue", .error, "A value is of the kind that Graph documents for its member.", graph)

  /// A value has another form than Graph's.
  public static let otherForm = PolicyRule(
    "otherForm", .note, "A value has the form that Graph gives it.", graph)

  /// A text is JSON only without some of its characters.
  public static let notJSON = PolicyRule(
    "notJSON", .warning, "A JSON text has no comments, and no comma before a closing bracket.", "RFC 8259")
}

extension MemberDoubt {
  /// The doubt as lint reports it, without a place.
  var finding: PolicyFinding {
    let rule: PolicyRule =
      switch cause {
      case .lost: .lostData
      case .unreadable: .unreadableValue
      case .restated: .otherForm
      }
    return PolicyFinding(rule, member, message, remedy: remedy)
  }
}
