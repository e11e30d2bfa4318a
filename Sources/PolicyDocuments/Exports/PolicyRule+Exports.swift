import AppProtection
import JSON
import PlainText

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

  /// A text is JSON only with other characters.
  public static let notJSON = PolicyRule(
    "notJSON", .warning,
    "A JSON text has no comments, no comma before a closing bracket, and no other words and quotes.",
    "RFC 8259")
}

extension JSONOddity {
  /// What is no JSON as lint reports it.
  func finding(of member: String?, in file: String?) -> PolicyFinding {
    let more = count > 1 ? ", as in \((count - 1).counted("more place"))" : ""
    let outcome =
      switch outcome {
      case .passedOver: "was passed over"
      case .taken(let phrase): "\(phrase) was taken"
      case .lost: "the value is unknown"
      }
    var finding = PolicyFinding(
      .notJSON, member ?? "JSON", at: DocumentPlace(error.position), "\(error.message)\(more), and \(outcome)",
      remedy: error.remedy)
    finding.file = file
    return finding
  }
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
    var finding = PolicyFinding(rule, member, message, remedy: remedy)
    finding.element = element
    return finding
  }
}
