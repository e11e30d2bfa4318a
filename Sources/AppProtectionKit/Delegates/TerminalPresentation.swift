import AppProtection

/// Puts the engine's questions to the user of a terminal.
///
/// ```swift
/// let presentation = TerminalPresentation()
/// let delegates = PolicyEngine.Delegates(presentation: presentation)
/// ```
///
/// It asks in lines of text and waits for a line as the answer; the end of the input leaves a question open. It shows no colors
/// and no pictures, so an ``Appearance`` changes nothing. What is typed is seen: a terminal that should hide a PIN turns its echo
/// off in `read`.
public struct TerminalPresentation: PresentationDelegate {
  private let read: @Sendable () -> String?
  private let write: @Sendable (String) -> Void
  private let pins: (any PINKeeper)?
  private let name: @Sendable (AccountNumber) -> String

  /// - Parameters:
  ///   - read: Gives the next line of the user; `nil` at the end of the input. Standard input by default.
  ///   - write: Shows a line. Standard output by default.
  ///   - pins: Knows the user's PIN; without it, a question about a PIN is left open.
  ///   - name: What the user knows an account by. The account's number by default, which names no person.
  public init(
    read: @escaping @Sendable () -> String? = { readLine() },
    write: @escaping @Sendable (String) -> Void = { print($0) }, pins: (any PINKeeper)? = nil,
    name: @escaping @Sendable (AccountNumber) -> String = { $0.description }
  ) {
    self.read = read
    self.write = write
    self.pins = pins
    self.name = name
  }

  /// Asks when the app ends: an empty line for soon, a number for minutes.
  public func restartNeeded(reason: RestartReason) -> RestartChoice {
    write("The app must be restarted (\(reason.name)). Press Return to go on, or type how many minutes to wait.")
    let wish = answer { line -> RestartChoice? in
      line.isEmpty ? .acknowledged : UInt32(line).map { RestartChoice.postponed(minutes: $0) }
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
    write("Type \(name(account)) to switch to it, or \(name(existing)) to keep it; Return decides later.")
    let choices: [(String, AccountChoice)] = [
      (name(account), .switchAccounts), (name(existing), .keepExisting), ("\(account)", .switchAccounts),
      ("\(existing)", .keepExisting), ("", .canceled),
    ]
    return answer { line in choices.first { $0.0.lowercased() == line.lowercased() }?.1 }
  }

  /// Says that two accounts have one name.
  public func accountConflict(_ account: AccountNumber, existing: AccountNumber) {
    write("\(name(account)) has the name of a managed account, but is another account (\(account), not \(existing)).")
    write("Reset the device's account.")
  }

  /// Asks for an account id or a user principal name; an empty line cancels.
  public func askLogin() -> LoginReply? {
    write("Sign in: type your user name, or press Return to cancel.")
    return answer { $0.isEmpty ? .canceled : AccountReference($0).map { LoginReply.account($0) } }
  }

  /// Says what a launch condition warns of or forbids. What it asks, ``answerLaunch(_:)`` says with the question.
  public func conditionalLaunch(account: AccountNumber, outcome: LaunchOutcome, rule: LaunchRule) {
    switch outcome {
    case .warn: write("A warning about \(name(account)): \(rule.statement).")
    case .block: write("\(name(account)) may not be used now: \(rule.statement).")
    case .wipe: write("Your organization's data of \(name(account)) is removed: \(rule.statement).")
    case .allowed, .promptSignIn, .promptBiometrics, .promptPIN, .promptNewPIN, .resetPIN, .signInOrWipe: break
    }
  }

  /// Says that the app has no policy: a warning, which Return dismisses, or that it may not be used.
  public func policyMissing(isBlocking: Bool) -> Bool {
    guard !isBlocking else {
      write("Your organization has no policy for this app yet. It may not be used until one arrives.")
      return false
    }
    write("Your organization has no policy for this app yet. Press Return to go on without.")
    return read() != nil
  }

  /// Says what is blocked, and why.
  public func sharingBlocked(rule: String, reason: String) {
    write("Your organization does not allow this: \(reason) (\(rule)).")
  }

  /// Asks for a PIN, for a new one, or for a sign-in; an empty line cancels.
  public func answerLaunch(_ prompt: LaunchPrompt) -> LaunchReply? {
    if let refusal = prompt.refusal { write("This was not taken: \(refusal).") }
    pins?.resolveProposal(prompt.pinSetAt)
    let account = name(prompt.decision.account)
    switch prompt.decision.outcome {
    case .promptPIN, .promptBiometrics:
      return pin("Enter the PIN for \(account), or press Return to cancel.") { pin, pins in
        .pin(isRight: pins.isRight(pin))
      }
    case .promptNewPIN:
      return pin("Choose a PIN for \(account), or press Return to cancel.") { pin, pins in
        let reply = LaunchReply.newPIN(PINFacts(of: pin), equalTo: pins.age(of: pin))
        guard pins.propose(pin, replacing: prompt.pinSetAt) else {
          write("The PIN cannot be kept on this device now.")
          return nil
        }
        return reply
      }
    case .promptSignIn, .resetPIN, .signInOrWipe:
      write("Sign in as \(account), because \(prompt.decision.reason): type your user name, or press Return to cancel.")
      return answer { $0.isEmpty ? .canceled : AccountReference($0).map { LaunchReply.signedIn($0) } }
    case .allowed, .warn, .block, .wipe: return nil
    }
  }

  /// The reply to a line that is a PIN; `nil` at the end of the input, and without a keeper of PINs.
  private func pin(_ question: String, _ reply: (String, any PINKeeper) -> LaunchReply?) -> LaunchReply? {
    guard let pins else {
      write("A PIN is asked for, which cannot be entered here.")
      return nil
    }
    write(question)
    return read().flatMap { $0.isEmpty ? .canceled : reply($0, pins) }
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
