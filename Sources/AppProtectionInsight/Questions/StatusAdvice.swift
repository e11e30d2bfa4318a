import AppProtection

/// What to do about a status code of the service: one sentence each for the user, the administrator and the developer.
public struct StatusAdvice: Equatable, Sendable {
  /// Who can end the trouble.
  public enum Actor: String, CaseIterable, Sendable {
    /// The user of the device.
    case user
    /// The administrator of the organization.
    case administrator
    /// The developer of the app.
    case developer
  }

  /// The code.
  public let code: EnrollmentStatusCode
  /// Who can end the trouble.
  public let actor: Actor
  /// For the user, without a full stop.
  public let user: String
  /// For the administrator, without a full stop.
  public let administrator: String
  /// For the developer, without a full stop.
  public let developer: String

  /// The sentence for the one who can end the trouble.
  public var next: String {
    switch actor {
    case .user: user
    case .administrator: administrator
    case .developer: developer
    }
  }

  /// The advice about a code; `nil` for one that needs none, or is not known.
  public static func about(_ code: EnrollmentStatusCode) -> Self? { table.first { $0.code == code } }

  /// What to do next about a code, whatever it is, in one sentence without a full stop.
  static func next(after code: EnrollmentStatusCode) -> String {
    if let advice = about(code) { return advice.next }
    return switch code.classification {
    case .transient: "look at the network: the request is repeated by itself"
    case .programmingError: "correct the app's call: repeating it does not help"
    case .terminal: "let the app remove the account, or manage the device for it"
    // A number between the published ones, such as 146, says nothing about the account.
    case .warning:
      "look after the next check-in whether policy and configuration are still there: the code is not published"
    case .success, .failure, .user, .service, .inProgress, .benign, .obsolete, .unknown:
      "read the error that came with the code, and ask the service's support"
    }
  }

  /// The codes that ask for something to be done, in numeric order.
  public static let table: [Self] = [
    row(
      103, .administrator, "ask the administrator for access to this app, and open it again an hour later",
      "assign a policy that includes this app to a group of the user, and wait for the next check-in",
      "nothing: the account is enrolled, and gets a policy as soon as one targets it"),
    row(
      200, .administrator, "ask the administrator for a license",
      "assign the user a license, and wait for the next attempt",
      "nothing: the enrollment is repeated by itself"),
    row(
      201, .developer, "nothing: the app must be corrected",
      "consent to the app's permissions, and check that the app is registered in the tenant",
      "compare the client id, the redirect URI and the tenant with the app's registration"),
    row(
      203, .developer, "sign in when the app asks for it",
      "look up in the sign-in logs which conditional access policy refuses the token",
      "acquire a token interactively: no silent repetition helps"),
    row(
      204, .developer, "update the app, and try another network",
      "let the network reach the addresses of the service without inspecting the connection",
      "look at the network, and update the SDK if it is old: the certificates that it trusts lapse"),
    row(
      205, .developer, "update the app, and try another network",
      "let the network reach the addresses of the service without inspecting the connection",
      "look at the network: the request is repeated by itself; if it never succeeds, update the SDK, whose certificates lapse"
    ),
    row(
      206, .developer, "update the app",
      "look for a network that answers in the service's place, such as one that asks for a sign-in",
      "update the SDK: it cannot read the service's answer"),
    row(
      207, .developer, "sign in again", "check that the user exists in the directory, with this name",
      "pass the object id of the token library's result instead of the name"),
    row(
      209, .developer, "use the account that device management allows",
      "add the account to the allowed ones, or leave it unmanaged on this device",
      "let the app remove the account at the first such answer"),
    row(
      210, .administrator, "sign in with the account that the device is enrolled with",
      "compare the device's user with the account: the device is enrolled by another one",
      "let the app remove the account at the first such answer, and say which account is allowed"),
    row(
      211, .administrator, "sign in with the account of the device",
      "correct the user that the app's configuration names, or enroll the device for this user",
      "let the app remove the account at the first such answer, and say which account is allowed"),
    row(
      212, .user, "open the app while the device is online",
      "let the network reach the addresses of the service without inspecting the connection",
      "nothing: the request is repeated by itself"),
    row(
      213, .developer, "sign in again", "nothing: the app must enroll first",
      "call registerAndEnroll before the account's policy is asked for"),
    row(
      214, .developer, "sign out of the app, and sign in with the account that was enrolled",
      "compare the user's object id and name with those of the enrolled account; after a change of name, wipe the app's data",
      "pass the object id of the enrolled account, or deregister that account before this one is registered"),
    row(
      215, .developer, "open the app again: it goes on removing files", "wait: the wipe goes on when the app is opened",
      "find what keeps the files open or protected, and open the app again"),
    row(
      216, .user, "open the app again while the network is fast",
      "let the network reach the addresses of the service without inspecting the connection",
      "nothing: the request is repeated by itself"),
    row(
      217, .developer, "sign in again", "look up the sign-in in the directory's logs",
      "read the token library's log: it failed, and the SDK could not ask the service"),
    row(
      219, .user, "sign in when the app asks for it", "ask the user to sign in",
      "ask again at the next launch, and say why the sign-in is needed"),
    row(
      220, .user, "sign in when the app asks for it", "look whether the registration was removed in the portal",
      "let the user sign in, so that the account registers again"),
    row(
      221, .user, "sign in, and enroll again", "look whether the registration was removed in the portal",
      "call loginAndEnrollAccount, so that the user signs in and the account registers again"),
    row(
      222, .administrator, "ask the administrator whether your license changed, and open the app a day later",
      "check the user's license, and wait for the tenant to be moved", "nothing: the enrollment is repeated by itself"),
    row(
      223, .developer, "open the app itself, not its extension", "nothing: the app must be corrected",
      "call registerAndEnroll from the app, not from its extension"),
    row(
      224, .developer, "update the app", "nothing: the app must be corrected",
      "build with a newer token library: the SDK calls a method that this one lacks"),
    row(
      225, .administrator, "ask the administrator for access to this app",
      "assign a policy to the user, and wait half an hour", "nothing: the enrollment is repeated by itself"),
    row(
      226, .administrator, "ask the administrator to unblock the device", "unblock the device in the portal",
      "nothing: the enrollment is repeated by itself"),
    row(
      227, .user, "remove the other work account from the app",
      "let the user keep one account of the organization in this app",
      "deregister the other account first, or offer the choice between the two"),
  ]

  private static func row(
    _ number: UInt32, _ actor: Actor, _ user: String, _ administrator: String, _ developer: String
  ) -> Self {
    Self(
      code: EnrollmentStatusCode(rawValue: number), actor: actor, user: user, administrator: administrator,
      developer: developer)
  }
}
