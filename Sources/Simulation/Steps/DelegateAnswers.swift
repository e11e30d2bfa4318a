import AppProtection
import AppProtectionKit
import EventSourcing
import JSON

/// What the app's delegates and its user answer from a step on; a `nil` member leaves its answer unchanged.
public struct DelegateAnswers: Equatable, Sendable {
  /// Whether the app itself removes all data of an account when asked to wipe it; otherwise the engine removes the
  /// account's files.
  public var wipeData: Bool?
  /// How the app or the user answers a restart request.
  public var restartApplication: RestartReply?
  /// The account the user keeps when a second one asks to be managed.
  public var accountChoice: AccountChoice?
  /// How the app responds when the engine asks it to switch the identity.
  public var identitySwitch: SwitchReply?
  /// The account that signs in when the user is asked.
  public var login: LoginReply?
  /// Whether the app adds an account that was enrolled without the app's involvement.
  public var addAccount: AddIdentityResult?

  /// Without arguments, changes nothing.
  public init(
    wipeData: Bool? = nil, restartApplication: RestartReply? = nil, accountChoice: AccountChoice? = nil,
    identitySwitch: SwitchReply? = nil, login: LoginReply? = nil, addAccount: AddIdentityResult? = nil
  ) {
    self.wipeData = wipeData
    self.restartApplication = restartApplication
    self.accountChoice = accountChoice
    self.identitySwitch = identitySwitch
    self.login = login
    self.addAccount = addAccount
  }

  /// An answer to a restart request.
  public enum RestartReply: Equatable, Sendable {
    /// The delegate returns true: the app restarts itself.
    case appRestartsItself
    /// The delegate returns false: the dialog is shown.
    case dialogShown
    /// The user postpones the restart by this many minutes.
    case postponed(minutes: UInt32)
  }
}

extension JSONNode {
  /// The enumeration member with this name.
  func member<Choice: WireEnumeration>(of type: Choice.Type = Choice.self) throws(JSONError) -> Choice {
    let name = try name(from: Choice.allCases.map(\.name))
    guard let member = Choice.allCases.first(where: { $0.name == name }) else {
      throw error(.invalidValue, "this name is not known", remedy: "write another name")
    }
    return member
  }
}
