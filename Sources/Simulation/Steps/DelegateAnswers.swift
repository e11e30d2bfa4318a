import AppProtection
import AppProtectionKit
import JSON

/// What the app's delegates and its user answer from a step on; a member that is `nil` leaves the answer as it was.
public struct DelegateAnswers: Equatable, Sendable {
  /// Whether the app removes everything of an account itself when it is told to wipe it; otherwise the engine removes
  /// the account's files.
  public var wipeData: Bool?
  /// What the app or the user answers to a restart request.
  public var restartApplication: RestartReply?
  /// Which account the user keeps when a second one asks to be managed.
  public var accountChoice: AccountChoice?
  /// How the app carries out a switch of identity that the engine asks for.
  public var identitySwitch: SwitchReply?
  /// Who signs in when the user is asked.
  public var login: LoginReply?
  /// Whether the app adds an account that was enrolled without its doing.
  public var addAccount: AddIdentityResult?

  /// Creates answers; without arguments nothing changes.
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

  /// What is answered to a restart request.
  public enum RestartReply: Equatable, Sendable {
    /// The delegate returned true: the app restarts itself.
    case appRestartsItself
    /// The delegate returned false: the dialog is shown.
    case dialogShown
    /// The user postponed the restart by so many minutes.
    case postponed(minutes: UInt32)
  }
}

extension JSONNode {
  /// The member of an enumeration of the domain, by its name.
  func member<Choice: WireEnumeration>(of type: Choice.Type = Choice.self) throws(JSONError) -> Choice {
    let name = try name(from: Choice.allCases.map(\.name))
    guard let member = Choice.allCases.first(where: { $0.name == name }) else {
      throw error(.invalidValue, "nothing has this name", remedy: "write another name")
    }
    return member
  }
}
