import AppProtection

/// What the SDK's public trackers say about a number beside the published tables: answers of maintainers, and what they ask next.
///
/// A source such as `sdk#281` is an issue of microsoftconnect/ms-intune-app-sdk-ios, `android#173` one of its counterpart for
/// Android, and `Chatr#52` one of the sample app's.
public struct TrackerAnswer: Equatable, Sendable {
  /// What an issue says.
  public struct Fact: Equatable, Sendable {
    /// The issue.
    public let source: String
    /// In one sentence without a full stop.
    public let text: String
  }

  /// The status code, or the error of the token library, which is negative.
  public let number: Int64
  /// What is known, the most frequent case first.
  public let facts: [Fact]
  /// What to ask the one who reports the number, in the order in which the answers help.
  public let questions: [String]

  /// The answer about a number; `nil` where the trackers add nothing.
  public static func about(_ number: Int64) -> Self? { table.first { $0.number == number } }

  /// The answer about a status code.
  public static func about(_ code: EnrollmentStatusCode) -> Self? { about(Int64(code.rawValue)) }

  /// Every answer.
  public static let table: [Self] = [
    Self(
      .accountNotLicensed,
      ("sdk#459", "it came for users with a license in the directory, on iOS alone, and not at every attempt"),
      ("Chatr#52", "it came for a trial user who had a license, and ended by itself within two days"),
      asking: "Since when does the user have the license, and is the service for mobile app management part of it?",
      "Is the account that signed in the one with the license, by its object id?",
      "Does the service answer otherwise a day later?"),
    Self(
      .internalError,
      (
        "sdk#27",
        "without an error object: the token library is not linked, which the SDK needs even if the app does not"
      ),
      ("sdk#173", "without an error object: it ended when the token library was added to the app"),
      ("sdk#316", "with legacy result code 6 and error code 0: an automatic enrollment that fails at every launch"),
      ("sdk#230", "after an update of the SDK: keys are missing in the Info.plist"),
      (
        "sdk#625",
        "in a tenant other than the app's own: the registration must allow accounts of any organization, if users of several sign in"
      ),
      asking: "Is the token library linked into the app, in a version that the SDK asks for?",
      "Are client id, redirect URI and authority those of the app's registration?",
      "Does every tenant fail, or all but the app's own?",
      "What do the lines of the token library say before the 201, with the verbose log?"),
    Self(
      .authRequired,
      (
        "sdk#128",
        "the token library has no token that it could use without the user: sign in with it first, then register"
      ),
      (
        "sdk#484",
        "the app must have access to the service for mobile app management in its registration, and the user must have signed in interactively"
      ),
      ("sdk#540", "with access in the registration: ask whether the tenant's administrator has consented to it"),
      ("sdk#556", "in one tenant, while others enroll: the tokens of the app itself are right, so look at that tenant"),
      (
        "android#239",
        "an app of several tenants needs the consent of each one's administrator, and a service principal there"
      ),
      asking: "Does one tenant fail, or every one?",
      "Has that tenant's administrator consented to DeviceManagementManagedApps.ReadWrite?",
      "Which conditional access policy do the sign-in logs name?",
      "Did the user sign in interactively, with the token library of this app, before the account was registered?"),
    Self(
      .locationServiceFailure,
      ("sdk#136", "new registrations fail, and old ones work: the SDK trusts certificates that have lapsed; update it"),
      asking: "Which version of the SDK is in the app?", "Does the network inspect connections?"),
    Self(
      .enrollmentEndPointNetworkFailure,
      ("sdk#136", "new registrations fail, and old ones work: the SDK trusts certificates that have lapsed; update it"),
      asking: "Which version of the SDK is in the app?", "Does the network inspect connections?"),
    Self(
      .parsingFailure,
      ("sdk#256", "at the first launch after an update to SDK 16.0.3; the next launch succeeded"),
      asking: "Which version of the SDK is in the app?", "Does the second launch succeed?"),
    Self(
      .licensedNotTargeted,
      (
        "sdk#281",
        "neither a protection policy nor a configuration policy is targeted at both this app and the user"
      ),
      ("sdk#440", "soon after the assignment: the policy came half an hour later"),
      ("sdk#128", "it may be intended: an app for many customers lets users without a policy work"),
      ("sdk#178", "older versions of the SDK report nothing at all in this case"),
      ("android#173", "on Android the same account enrolls successfully"),
      asking: "Is the user in a group of the policy, and in none that it excludes?",
      "Does the policy list this app, by its bundle id as it is written in the app?",
      "How long ago was it assigned?", "Is the account that signed in the one that is targeted, by its object id?"),
    Self(
      EnrollmentStatusCode(rawValue: 302),
      (
        "sdk#20",
        "an internal code that SDK 9.0.5 let through: the SDK recovers from it, so treat it as a success, and update"
      ),
      asking: "Which version of the SDK is in the app?", "Does the app work as with 100?"),
    Self(
      number: -50_000,
      (
        "sdk#611", "at the first sign-in: the SDK could not create the library's client from client id and redirect URI"
      ),
      ("sdk#625", "with an app that is registered for one organization only: allow accounts of any organization"),
      asking: "Are client id and redirect URI those of the app's registration?", "Is its URL scheme in the Info.plist?"),
    Self(
      number: TokenDenied.signInRequired,
      (
        "sdk#190", "the user must enter credentials; with AADSTS53005 beside it, conditional access asks for protection"
      ),
      (
        "sdk#484",
        "without an account in the request: sign in interactively, and pass the account that the result names"
      ),
      asking: "Did the app pass an account to the silent request?",
      "Does the app give the token library the client capability protapp?"),
    Self(
      number: TokenDenied.protectionRequired,
      (
        "sdk#353",
        "it comes only where the app gives the token library the client capability protapp; without it the user reads that the app is not available"
      ),
      ("sdk#403", "again after a remediation that ended compliant: a loop, which another token request does not end"),
      asking: "Did remediateCompliance end with compliant before the token was asked for again?",
      "Is it the same account, by its home account id, in both calls?"),
  ]

  private init(number: Int64, _ facts: (source: String, text: String)..., asking questions: String...) {
    self.number = number
    self.facts = facts.map { Fact(source: $0.source, text: $0.text) }
    self.questions = questions
  }

  private init(_ code: EnrollmentStatusCode, _ facts: (source: String, text: String)..., asking questions: String...) {
    number = Int64(code.rawValue)
    self.facts = facts.map { Fact(source: $0.source, text: $0.text) }
    self.questions = questions
  }
}
