import AppProtection
import AppProtectionInsight
import CommandLineInterface

/// What `pj help NAME` shows of the names that findings and explanations mention: status codes (`222`), families of problems
/// (`offline-block`), launch conditions (`launch.offlineAccess`) and mistakes in the app (`T39`).
enum RuleHelp {
  /// Every name but the status codes.
  static var names: [String] {
    ProblemFamily.allCases.map(\.id) + LaunchRule.allCases.map(\.id) + TraceFinding.Kind.allCases.map(\.rawValue)
  }

  /// The text about a name; `nil` for another one.
  static func topic(_ name: String) -> HelpTopic? {
    if let number = UInt32(name) { return code(number) }
    if let family = ProblemFamily.allCases.first(where: { $0.id == name }) { return topic(family) }
    if let rule = LaunchRule.allCases.first(where: { $0.id == name }) {
      return HelpTopic(
        rule.id, "a launch condition",
        ["It is not met where \(rule.statement).", "pj explain JOURNAL 'launch(ACCOUNT)' compares its values."])
    }
    if let kind = TraceFinding.Kind.allCases.first(where: { $0.rawValue.lowercased() == name.lowercased() }) {
      return HelpTopic(
        kind.rawValue, "a likely mistake in the app",
        ["\(meaning(of: kind)).", "pj log JOURNAL --findings shows where it occurs."])
    }
    return nil
  }

  private static func code(_ number: UInt32) -> HelpTopic? {
    let code = EnrollmentStatusCode(rawValue: number)
    guard let entry = code.entry else { return nil }
    var body: [HelpBlock] = [.paragraph(entry.consequence)]
    if let advice = StatusAdvice.about(code) {
      body.append(
        .definitions([
          .init("user", sentence(advice.user)), .init("administrator", sentence(advice.administrator)),
          .init("developer", sentence(advice.developer)),
        ]))
    }
    let text = body
    return HelpTopic("\(number)", entry.name, text)
  }

  private static func topic(_ family: ProblemFamily) -> HelpTopic {
    var body: [HelpBlock] = [.paragraph("A problem that pj diagnose finds; usually \(family.severity.name).")]
    let explained = ProblemFamily.allCases.filter(family.explains.contains).map(\.id)
    if !explained.isEmpty { body.append(.paragraph("It can lead to: \(explained.joined(separator: ", ")).")) }
    body.append(.paragraph("The page \(family.page) says how it looks, what decides it, and what to do."))
    let text = body
    return HelpTopic(family.id, family.title, text)
  }

  private static func sentence(_ text: String) -> String { text.prefix(1).uppercased() + text.dropFirst() + "." }

  /// What a mistake is, without the accounts that it concerns.
  private static func meaning(of kind: TraceFinding.Kind) -> String {
    switch kind {
    case .wrongEnumeration: "The delegate answered a switch of identity with a constant meant for added accounts"
    case .threadIdentityNotRestored: "A thread went from one account's identity to another's without a reset in between"
    case .deregisteredAfterTokenRemoval: "An account was deregistered after its tokens had been removed"
    case .unknownCode: "The service answered with an unknown status code"
    case .registrationMissing:
      "An account is signed in for work or school and was not registered: call registerAndEnroll"
    case .signInNotAllowed: "An account is signed in that device management does not allow: sign it out"
    case .prematureToken: "A token was asked for before the account's remediation had ended: wait for the callback"
    case .remediationLoop: "Remediations of an account lead nowhere: compare client id, object id and keychain group"
    case .notCompliantWithData: "An account is not compliant and has organization data: wipe it"
    case .accountNotAdded: "The app did not add an account that is enrolled: add it or deregister it"
    case .sameName: "Two accounts have one name and two object ids: the device's account must be reset"
    case .deviceWithoutUser: "Device management names a device and no user: add IntuneMAMUPN and IntuneMAMOID"
    case .nameChanged:
      "The name of an enrolled account changed, which breaks its enrollment: wipe its data and sign in again"
    case .restartBeforeCallback:
      "The app is asked to restart before the enrollment is answered: the callback comes afterwards"
    case .answerNotShown: "The app says that the user answered a launch condition, and no event shows it"
    }
  }
}
