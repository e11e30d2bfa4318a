import AppProtection

/// What an app passes as the answer to a switch of identity.
public enum SwitchReply: Equatable, Sendable {
  /// A constant for switches.
  case result(SwitchIdentityResult)
  /// A constant for added accounts, which a guide names and the header does not mean: its number is read as a result.
  case addIdentity(AddIdentityResult)

  /// What the number says.
  public var result: SwitchIdentityResult {
    switch self {
    case .result(let result): result
    case .addIdentity(let result): result.readAsSwitchResult
    }
  }

  /// Whether the constant is of the wrong enumeration.
  public var isAddIdentityResult: Bool {
    if case .addIdentity = self { true } else { false }
  }
}
