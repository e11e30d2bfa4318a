import AppProtectionKit

extension NotesApp {
  /// Saves a copy of a note to a storage that may belong to an account.
  func save(_ name: String, to storage: String, as copy: String, _ owner: String?) throws {
    guard let location = SaveLocation(name: storage) else {
      throw UsageError("\(storage) is none of \(SaveLocation.allCases.map(\.name).joined(separator: ", "))")
    }
    let note = try existingNote(name)
    let policy = engine.policies.policy(for: try notes.owner(of: note))
    let owner = try owner.map { try AccountReference(typed: $0) }
    try require(
      owner.map { policy.isSaveToAllowed(to: location, account: $0) }
        ?? policy.isSaveToAllowed(to: location, account: nil))
    try notes.decrypt(note, toCopy: copy)
    terminal.write("saved")
  }

  /// Makes a note of a file in a storage that may belong to an account.
  func open(_ file: String, from storage: String, as name: String, _ owner: String?) async throws {
    guard let location = OpenLocation(name: storage) else {
      throw UsageError("\(storage) is none of \(OpenLocation.allCases.map(\.name).joined(separator: ", "))")
    }
    let note = try note(name)
    let policy = engine.policies.policy(for: note.owner)
    let owner = try owner.map { try AccountReference(typed: $0) }
    try require(
      owner.map { policy.isOpenFromAllowed(from: location, account: $0) }
        ?? policy.isOpenFromAllowed(from: location, account: nil))
    // An encrypted file stays its owner's wherever it lies: the owner's policy decides, as for a file of another app.
    guard try !notes.files.isFileEncrypted(file) else { return try await receive(file, as: name, switches: false) }
    try notes.write(try notes.files.contents(of: file, atMost: Note.maximumLength), to: note)
    terminal.write("opened")
  }

  /// Hands a copy of a note to another app: to one without a policy or, with a name, to one that the account is signed in to.
  func share(_ name: String, with app: String, as copy: String) throws {
    let note = try existingNote(name)
    let owner = try notes.owner(of: note)
    let account = try app == "unmanaged" ? nil : AccountReference(typed: app)
    let party = account.map { DataParty.managedApp(engine.state.account(for: $0)?.account) } ?? .unmanagedApp
    try require(engine.policies.policy(for: owner).isTransferAllowed(to: party))
    if account != nil {
      // Encrypted, with its owner in the header: the other app knows whose it is.
      try notes.handOut(note, to: copy, for: owner)
    } else {
      try notes.decrypt(note, toCopy: copy)
    }
    terminal.write("shared")
  }

  /// Takes in a file of another app, which says by its header whose it is.
  ///
  /// - Parameter switches: Whether the app may go on without the account on the screen, as when another app sends the file.
  func receive(_ file: String, as name: String, switches: Bool) async throws {
    let decision = try notes.receive(.file(file), as: try note(name))
    switch decision.outcome {
    case .allowed, .allowedAsOrganizationData: terminal.write("received")
    case .needsUnmanagedIdentity where switches:
      try await engine.send(.requestIdentitySwitch(.ui, .unmanaged, .openURL))
      try await run()
      try await show(nil)
      terminal.write("Your own notes take it in.")
      try await receive(file, as: name, switches: false)
    case .needsUnmanagedIdentity, .refused:
      throw NotesRefusal(blockedBy: decision)
    }
  }

  /// Prints a note on the window's printer, which is the terminal.
  func print(_ name: String) throws {
    try require(policyOnScreen.isPrintingAllowed)
    try require(engine.policies.policy(for: try notes.owner(of: try existingNote(name))).isPrintingAllowed)
    try read(name)
  }

  /// Takes a picture of the window on the screen.
  func capture() throws {
    try require(policyOnScreen.isScreenCaptureAllowed)
    terminal.write("captured")
  }

  /// Shows a value that the administrator configures the app with.
  func showConfiguration(_ key: String) {
    let configuration = engine.appConfig.configuration(for: accountOnScreen.map { AccountReference($0) })
    let conflict = configuration.hasConflict(key) ? " (of several)" : ""
    terminal.write("\(key) = \(configuration.string(key, .min).map { $0 + conflict } ?? "not configured")")
  }

  private var policyOnScreen: AccountPolicy {
    engine.policies.policy(for: accountOnScreen.map { AccountReference($0) })
  }

  private func require(_ decision: Decision<TransferOutcome>) throws {
    guard decision.isAllowed else { throw NotesRefusal(blockedBy: decision) }
  }

  private func require(_ decision: Decision<Permission>) throws {
    guard decision.isAllowed else { throw NotesRefusal(blockedBy: decision) }
  }
}
