import AppProtectionKit

extension NotesApp {
  func isSignedIn(_ account: AccountNumber) -> Bool { engine.withState { $0.isSignedIn(account) } }

  /// Signs in. Without a name, the user is asked.
  func signIn(_ name: String?) async throws {
    let account = try name.map { try AccountReference(typed: $0) }
    if let account {
      try await engine.enrollment.registerAndEnroll(account)
    } else {
      try await engine.enrollment.loginAndEnroll()
    }
    do { try await run(for: account) } catch {
      try await dropSecondNames()
      throw error
    }
  }

  /// Signs accounts out that the service knows as accounts that are signed in under other names, and asks for the new names.
  private func dropSecondNames() async throws {
    let accounts = engine.enrollment.registeredAccounts
    let second = accounts.filter { $0.enrollment.lastCode == .alreadyEnrolled && !$0.enrollment.status.isEnrolled }
    guard !second.isEmpty else { return }
    for account in second {
      try await engine.enrollment.deregisterAndUnenroll(AccountReference(account.account), wipe: false)
    }
    for account in accounts where account.enrollment.status.isEnrolled {
      try await engine.enrollment.checkIn(AccountReference(account.account))
    }
    try await run()
  }

  /// Signs out. The account's notes are removed from this phone, encrypted or not.
  func signOut(_ name: String) async throws {
    let account = try AccountReference(typed: name)
    try await engine.enrollment.deregisterAndUnenroll(account, wipe: true)
    try await run(for: account)
  }

  /// Asks the service whether the policy has changed, or a wipe was ordered.
  func checkIn(_ name: String) async throws {
    let account = try AccountReference(typed: name)
    try await engine.enrollment.checkIn(account)
    try await run(for: account)
  }

  /// Removes the organization's data on the user's own wish.
  func wipe(_ name: String) async throws {
    let account = try AccountReference(typed: name)
    try await engine.enrollment.wipe(account)
    try await run(for: account)
  }

  /// Does what conditional access asks for when it refuses the account a token.
  func remediate(_ name: String) async throws {
    let account = try AccountReference(typed: name)
    try await engine.compliance.remediate(account, isSilent: false)
    try await run(for: account)
  }

  /// Lists the accounts that are signed in.
  func listAccounts() {
    let state = engine.state
    for account in engine.enrollment.registeredAccounts.map(\.account) where state.isSignedIn(account) {
      let isOnScreen = accountOnScreen == account ? ", on the screen" : ""
      terminal.write(
        "\(account)  \(state.name(of: account)): \(state.isManaged(account) ? "managed" : "not managed")\(isOnScreen)")
    }
  }

  /// The account whose notes are on the screen; `nil` for the user's own.
  var accountOnScreen: AccountNumber? { engine.policies.uiIdentity(window: window).account }

  /// Shows the notes of an account, once its policy lets the user in; `nil` shows the user's own. Nothing of the account may be
  /// on the screen before this returns.
  func show(_ account: AccountReference?, window: UInt32? = nil) async throws {
    let number = try account.map { try engine.state.number(ofSignedIn: $0) }
    let target = account.map { TargetIdentity.account($0) } ?? .unmanaged
    let result = try await engine.policies.switchUIIdentity(to: target, window: window)
    try await run()
    guard result == .success else { throw NotesRefusal("the identity stays as it is: \(result)") }
    self.window = window
    shown = Screen(number)
    if window == nil { rememberShown() }
  }

  /// The user leaves the app: the journal is released, because a phone ends an app that is suspended while it holds a lock in a
  /// folder that it shares with its extensions.
  func pause() async throws { try await engine.suspend() }

  /// The user comes back to the app: conditions that have come due since are met before anything is shown.
  func resume() async throws {
    if isPaused {
      try await engine.resume(Self.process)
      try await run()
    }
    guard case .account(let number) = shown, isSignedIn(number) else { return }
    // If another process wrote meanwhile, no identity is set, as after a launch.
    if accountOnScreen == number {
      try await engine.send(.evaluateLaunch(AccountReference(number), .resume))
      try await run()
      guard engine.state.launch.accounts[number]?.outcome.isPassing == false else { return }
    }
    do { try await show(AccountReference(number), window: window) } catch {
      try await show(nil)
      throw error
    }
  }

  /// Notes down what the next process shows. A wipe may have come while the user switched.
  ///
  /// Nothing else depends on it: a full disk keeps no account from the screen, and no wipe waiting.
  func rememberShown() {
    if case .account(let account) = shown, !isSignedIn(account) { shown = .gone }
    let bytes = Array(shown.text.utf8)
    guard (try? phone.disk.contents(of: phone.lastShown)) != bytes else { return }
    do { try phone.disk.replace(phone.lastShown, with: bytes) } catch {
      terminal.write("\(phone.lastShown): \(error). The app will not come back to these notes.")
    }
  }
}
