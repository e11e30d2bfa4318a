import AppProtection
import AppProtectionKit

extension NotesApp {
  /// The account that a command names.
  func account(_ text: String) throws -> AccountReference {
    guard let account = AccountReference(text) else {
      throw UsageError("\(text) is neither a user name like alice@contoso.com nor an object id")
    }
    return account
  }

  /// The number of an account that is signed in.
  func number(of account: AccountReference) throws -> AccountNumber {
    guard let number = engine.state.account(for: account)?.account, isSignedIn(number) else {
      throw Refusal("\(account) is not signed in")
    }
    return number
  }

  /// Whether the user is signed in: the account is registered, and not on its way out.
  func isSignedIn(_ account: AccountNumber) -> Bool {
    let status = engine.state.accounts[account]?.enrollment.status ?? .unknown
    return status.isRegistered && status != .unenrolling && status != .wiping
  }

  /// Signs in. Without a name, the user is asked.
  func signIn(_ name: String?) async throws {
    if let name {
      try await engine.enrollment.registerAndEnroll(try account(name))
    } else {
      try await engine.enrollment.loginAndEnroll()
    }
    try await run()
  }

  /// Signs out. The account's notes are removed from this phone, encrypted or not.
  func signOut(_ name: String) async throws {
    try await engine.enrollment.deregisterAndUnenroll(try account(name), wipe: true)
    try await run()
  }

  /// Asks the service whether the policy has changed, or a wipe was ordered.
  func checkIn(_ name: String) async throws {
    try await engine.send(.requestCheckIn(try account(name)))
    try await run()
  }

  /// Removes the organization's data on the user's own wish.
  func wipe(_ name: String) async throws {
    try await engine.send(.requestWipe(try account(name), .appRequest, .app))
    try await run()
  }

  /// Does what conditional access asks for when it refuses the account a token.
  func remediate(_ name: String) async throws {
    try await engine.compliance.remediate(try account(name), isSilent: false)
    try await run()
  }

  /// Lists the accounts that are signed in.
  func listAccounts() {
    let state = engine.state
    for account in engine.enrollment.registeredAccounts.map(\.account) {
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
    let number = try account.map { try self.number(of: $0) }
    while true {
      let target = account.map { TargetIdentity.account($0) } ?? .unmanaged
      let result = try await engine.policies.setUIIdentity(target, window: window)
      // A check-in may decide whether the account may be used.
      try await run()
      if result == .success { break }
      guard result == nil, let number else { throw Refusal("the identity stays as it is: \(result ?? .failed)") }
      try await meetLaunchCondition(of: number)
    }
    self.window = window
    if window == nil { try phone.disk.replace(phone.lastShown, with: Array((number?.description ?? "").utf8)) }
  }
}
