import AppProtectionKit

extension NotesApp {
  func isSignedIn(_ account: AccountNumber) -> Bool { engine.withState { $0.isSignedIn(account) } }

  /// Signs in. Without a name, the user is asked.
  func signIn(_ name: String?) async throws {
    if let name {
      try await engine.enrollment.registerAndEnroll(try AccountReference(typed: name))
    } else {
      try await engine.enrollment.loginAndEnroll()
    }
    try await run()
  }

  /// Signs out. The account's notes are removed from this phone, encrypted or not.
  func signOut(_ name: String) async throws {
    try await engine.enrollment.deregisterAndUnenroll(try AccountReference(typed: name), wipe: true)
    try await run()
  }

  /// Asks the service whether the policy has changed, or a wipe was ordered.
  func checkIn(_ name: String) async throws {
    try await engine.enrollment.checkIn(try AccountReference(typed: name))
    try await run()
  }

  /// Removes the organization's data on the user's own wish.
  func wipe(_ name: String) async throws {
    try await engine.enrollment.wipe(try AccountReference(typed: name))
    try await run()
  }

  /// Does what conditional access asks for when it refuses the account a token.
  func remediate(_ name: String) async throws {
    try await engine.compliance.remediate(try AccountReference(typed: name), isSilent: false)
    try await run()
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
    guard result == .success else { throw Refusal("the identity stays as it is: \(result)") }
    self.window = window
    shown = number
    if window == nil { rememberShown() }
  }

  /// The user comes back to the app: conditions that have come due since are met before anything is shown.
  func resume() async throws {
    guard let number = accountOnScreen else { return }
    try await engine.send(.evaluateLaunch(AccountReference(number), .resume))
    try await run()
    guard engine.state.launch.accounts[number]?.outcome.isPassing == false else { return }
    do { try await show(AccountReference(number), window: window) } catch {
      try await show(nil)
      throw error
    }
  }

  /// Nothing depends on it but what the next process shows: a full disk keeps no account from the screen, and no wipe waiting.
  private func rememberShown() {
    let bytes = Array((shown?.description ?? "").utf8)
    guard (try? phone.disk.contents(of: phone.lastShown)) != bytes else { return }
    do { try phone.disk.replace(phone.lastShown, with: bytes) } catch {
      terminal.write("\(phone.lastShown): \(error). The app will not come back to these notes.")
    }
  }
}
