import AppProtection

/// An error of the token library's domain (`MSALErrorDomain`), whose number apps and logs quote (MSAL `MSALError`).
public struct TokenLibraryError: Equatable, Sendable {
  /// The number, such as −50004.
  public let number: Int64
  /// The library's name for it, without its prefix.
  public let name: String
  /// What it means, as a phrase.
  public let meaning: String
  /// What the user can do, without a full stop.
  public let user: String
  /// What the administrator can do, without a full stop.
  public let administrator: String
  /// What the developer can do, without a full stop.
  public let developer: String
  /// Whether it occurs without conditional access, too.
  let isOrdinary: Bool

  /// The error with a number; `nil` for one that is not in the table.
  public static func about(_ number: Int64) -> Self? { table.first { $0.number == number } }

  /// The library's domain: errors within it that are not in the table are of a later version.
  public static let range: ClosedRange<Int64> = -50_999 ... -50_000

  /// The errors of the system's network, which the library passes on (`NSURLErrorDomain`).
  public static let system: ClosedRange<Int64> = -2000 ... -1

  /// The errors that an app should handle, in the order of the library.
  public static let table: [Self] = [
    row(
      -50_000, "internal", "the library, or the server, failed in a way that no call can mend",
      "try again, and report the time of the attempt",
      "look up the sign-in in the directory's logs, by the time or the correlation id",
      "read MSALInternalErrorCodeKey and the error's description; before any sign-in, compare client id, redirect URI and authority with the app's registration"
    ),
    row(
      -50_001, "workplaceJoinRequired", "the device must be joined to the workplace first",
      "register the device in Microsoft Authenticator or the Company Portal",
      "look up which conditional access policy asks for a device that is registered",
      "let the broker sign the user in, which registers the device"),
    row(
      TokenDenied.signInRequired, "interactionRequired", "a token can be had only with the user's help",
      "sign in when the app asks for it",
      "look up in the sign-in logs which conditional access policy refuses the token",
      "acquire the token interactively with the same parameters: no silent repetition helps", isOrdinary: true),
    row(
      -50_003, "serverDeclinedScopes", "some of the scopes were not granted",
      "consent to what the app asks for, or ask the administrator",
      "consent to the app's permissions for the organization",
      "repeat the request with the scopes that were granted, or ask for fewer", isOrdinary: true),
    row(
      TokenDenied.protectionRequired, "serverProtectionPoliciesRequired",
      "conditional access asks for app protection before it gives a token",
      "let the app set itself up when it offers to",
      "assign the user a policy that includes this app: conditional access requires one",
      "call remediateCompliance, and ask for the token again only when its callback says compliant"),
    row(
      -50_005, "userCanceled", "the user closed the sign-in",
      "sign in when the app asks for it", "ask the user to sign in",
      "ask again at the next launch, and say why the sign-in is needed", isOrdinary: true),
    row(
      -50_006, "insufficientDeviceStrength", "the device does not meet what the sign-in asks of it",
      "set the device passcode, and sign in again",
      "look up in the sign-in logs what the device lacks", "show the error's description: no repetition helps"),
  ]

  private static func row(
    _ number: Int64, _ name: String, _ meaning: String, _ user: String, _ administrator: String, _ developer: String,
    isOrdinary: Bool = false
  ) -> Self {
    Self(
      number: number, name: name, meaning: meaning, user: user, administrator: administrator, developer: developer,
      isOrdinary: isOrdinary)
  }
}
