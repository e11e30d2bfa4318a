import AppProtection
import AppProtectionKit

extension NotesApp {
  /// Saves a copy of a note to a storage that may belong to an account.
  func save(_ name: String, to storage: String, as copy: String, _ owner: String?) throws {
    guard let location = SaveLocation(name: storage) else {
      throw UsageError("\(storage) is none of \(SaveLocation.allCases.map(\.name).joined(separator: ", "))")
    }
    let note = try Note(name, of: accountOnScreen)
    let policy = engine.policies.policy(for: note.account.map { AccountReference($0) })
    try require(policy.isSaveToAllowed(to: location, account: try owner.flatMap { try self.known($0) }))
    try files.decryptFile(path(note), toCopy: copy)
    terminal.write("saved")
  }

  /// Makes a note of a file in a storage that may belong to an account.
  func open(_ file: String, from storage: String, as name: String, _ owner: String?) throws {
    guard let location = OpenLocation(name: storage) else {
      throw UsageError("\(storage) is none of \(OpenLocation.allCases.map(\.name).joined(separator: ", "))")
    }
    let note = try Note(name, of: accountOnScreen)
    let policy = engine.policies.policy(for: note.account.map { AccountReference($0) })
    try require(policy.isOpenFromAllowed(from: location, account: try owner.flatMap { try self.known($0) }))
    try store(try contents(of: file), in: note)
    terminal.write("opened")
  }

  /// Hands a copy of a note to another app: to one without a policy or, with a name, to one that the account is signed in to.
  func share(_ name: String, with app: String, as copy: String) throws {
    let note = try Note(name, of: accountOnScreen)
    let party: DataParty = app == "unmanaged" ? .unmanagedApp : .managedApp(try known(app))
    try require(engine.withState { $0.transfer(from: .account(note.account), to: party) })
    if case .managedApp = party {
      // Encrypted, with its owner in the header: the other app knows whose it is.
      try files.handOut(path(note), to: copy, for: note.account.map { AccountReference($0) })
    } else {
      try files.decryptFile(path(note), toCopy: copy)
    }
    terminal.write("shared")
  }

  /// Takes in a file of another app, which says by its header whose it is.
  ///
  /// - Parameter switches: Whether the app may go on without the account on the screen, as when another app sends the file.
  func receive(_ file: String, as name: String, switches: Bool) async throws {
    let note = try Note(name, of: accountOnScreen)
    try phone.disk.makeFolder("\(phone.documents)/\(Note.folder(of: note.account))")
    let received = try files.receive(file, to: path(note), as: note.account.map { AccountReference($0) })
    switch received.decision.outcome {
    case .allowed, .allowedAsOrganizationData: terminal.write("received")
    case .needsUnmanagedIdentity where switches:
      try await engine.send(.requestIdentitySwitch(.ui, .unmanaged, .openURL))
      try await run()
      try await show(nil)
      terminal.write("Your own notes take it in.")
      try await receive(file, as: name, switches: false)
    case .needsUnmanagedIdentity, .refused:
      throw Refusal("blocked: \(received.decision.reason) (\(received.decision.rule))")
    }
  }

  /// Prints a note on the window's printer, which is the terminal.
  func print(_ name: String) throws {
    try require(engine.withState { $0.use(.printing, for: accountOnScreen) })
    try read(name)
  }

  /// Takes a picture of the window on the screen.
  func capture() throws {
    try require(engine.withState { $0.screenCapture(for: accountOnScreen) })
    terminal.write("captured")
  }

  /// Shows a value that the administrator configures the app with.
  func showConfiguration(_ key: String) {
    let configuration = engine.appConfig.configuration(for: accountOnScreen.map { AccountReference($0) })
    let conflict = configuration.hasConflict(key) ? " (of several)" : ""
    terminal.write("\(key) = \(configuration.string(key, .min).map { $0 + conflict } ?? "not configured")")
  }

  /// The number of an account that a place or an app belongs to; `nil` for one that is not known here.
  private func known(_ name: String) throws -> AccountNumber? {
    engine.state.account(for: try account(name))?.account
  }

  private func require(_ decision: Decision<TransferOutcome>) throws {
    guard decision.isAllowed else { throw Refusal("blocked: \(decision.reason) (\(decision.rule))") }
  }

  private func require(_ decision: Decision<Permission>) throws {
    guard decision.isAllowed else { throw Refusal("blocked: \(decision.reason) (\(decision.rule))") }
  }
}
