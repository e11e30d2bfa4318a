import AppProtection

/// Puts the engine's questions to the user of a terminal.
///
/// ```swift
/// let presentation = TerminalPresentation()
/// let delegates = PolicyEngine.Delegates(presentation: presentation)
/// ```
///
/// It asks in lines of text and waits for a line as the answer; the end of the input leaves a question open. Launch conditions
/// are only told: the app answers them with commands, such as `reportPINAttempt`.
public struct TerminalPresentation: PresentationDelegate {
  private let read: @Sendable () -> String?
  private let write: @Sendable (String) -> Void

  /// - Parameters:
  ///   - read: Gives the next line of the user; `nil` at the end of the input. Standard input by default.
  ///   - write: Shows a line. Standard output by default.
  public init(
    read: @escaping @Sendable () -> String? = { readLine() },
    write: @escaping @Sendable (String) -> Void = { print($0) }
  ) {
    self.read = read
    self.write = write
  }

  /// Asks when the app ends: an empty line for soon, a number for minutes.
  public func restartNeeded(reason: RestartReason) -> RestartWish {
    write("The app must be restarted (\(reason.name)). Press Return to go on, or type how many minutes to wait.")
    let wish = answer { line -> RestartWish? in
      line.isEmpty ? .acknowledged : UInt32(line).map { RestartWish.postponed(minutes: $0) }
    }
    return wish ?? .acknowledged
  }

  /// Says that the app must end now.
  public func restartOverdue(reason: RestartReason) {
    write("The app must be restarted now (\(reason.name)).")
  }

  /// Asks which account stays managed.
  public func chooseAccount(_ account: AccountNumber, existing: AccountNumber) -> AccountChoice? {
    write("Only one account can be managed.")
    write("Type \(account) to switch to it, or \(existing) to keep it; Return decides later.")
    let choices: [String: AccountChoice] = [
      account.description: .switchAccounts, existing.description: .keepExisting, "": .canceled,
    ]
    return answer { choices[$0] }
  }

  /// Says that two accounts have one name.
  public func accountConflict(_ account: AccountNumber, existing: AccountNumber) {
    write("\(account) has the name of \(existing), which is managed, but is another account.")
    write("Reset the device's account.")
  }

  /// Asks for an account id or a user principal name; an empty line cancels.
  public func askLogin() -> LoginReply? {
    write("Sign in: type your user name, or press Return to cancel.")
    return answer { $0.isEmpty ? .canceled : AccountReference($0).map { LoginReply.account($0) } }
  }

  /// Says what a launch condition asks, warns of, or forbids.
  public func conditionalLaunch(account: AccountNumber, outcome: LaunchOutcome, rule: LaunchRule) {
    guard !outcome.isPassing || outcome == .warn else { return }
    write("\(account): \(outcome.name), because \(rule.statement).")
  }

  /// The first line that is an answer; `nil` at the end of the input.
  private func answer<Answer>(_ parse: (String) -> Answer?) -> Answer? {
    while let line = read() {
      let words = line.split(whereSeparator: \.isWhitespace)
      if words.count < 2, let answer = parse(words.first.map(String.init) ?? "") { return answer }
      write("This is not an answer: try again.")
    }
    return nil
  }
}
