import AppProtection

/// An app's answer to an identity switch.
public enum SwitchReply: Equatable, Sendable {
  /// A constant for switches.
  case result(SwitchIdentityResult)
  /// A constant for added accounts, as named by a guide but not by the header: its number is interpreted as a result.
  case addIdentity(AddIdentityResult)

  /// The result that the number stands for.
  public var result: SwitchIdentityResult {
    switch self {
    case .result(let result): result
    case .addIdentity(let result): result.readAsSwitchResult
    }
  }

  /// Whether the constant belongs to the wrong enumeration.
  public var isAddIdentityResult: Bool {
    if case .addIdentity = self { true } else { false }
  }
}
