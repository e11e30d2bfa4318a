import AppProtectionKit

extension NotesApp {
  /// A note of the account on the screen: refused if that is not what the user chose to see, because the account left or its
  /// policy does not let the user in. Its text must not land in other notes.
  func note(_ name: String) throws -> Note {
    let account = accountOnScreen
    guard Screen(account) == shown else {
      throw NotesRefusal(
        "the notes that were on the screen cannot be shown: switch to an account or, without a name, to your own")
    }
    return try Note(name, of: account)
  }

  /// A note of the account on the screen that is there.
  func existingNote(_ name: String) throws -> Note {
    let note = try note(name)
    guard try notes.exists(note) else { throw NotesRefusal("there is no note \(name)") }
    return note
  }

  /// What a note holds.
  func text(of note: Note) throws -> String {
    do { return try notes.text(of: note) } catch let error as DataProtectionError where error.cause == nil {
      // A rule refuses it, and the key is there: the account has no policy any more.
      guard let owner = try notes.owner(of: note), let account = engine.state.account(for: owner)?.account,
        !engine.state.isManaged(account)
      else { throw error }
      throw NotesRefusal(
        "\(note.name) cannot be read: the organization has withdrawn its policy for \(engine.state.name(of: account)). "
          + "Its notes can be read again once it has one")
    }
  }

  func write(_ text: String, to name: String) throws { try notes.write(Array(text.utf8), to: try note(name)) }

  func read(_ name: String) throws { terminal.write(try text(of: try existingNote(name))) }

  func delete(_ name: String) throws { try notes.delete(try existingNote(name)) }

  func list() { for name in notes.names(of: accountOnScreen) { terminal.write(name) } }

  /// Shows the notes of all accounts in a window of their own. It carries the identity of the managed account, so that its
  /// policy holds for all that the window shows.
  func overview() async throws {
    let managed = engine.policies.managedAccounts.map(\.account).first { isSignedIn($0) }
    try await show(managed.map { AccountReference($0) }, window: 2)
    let accounts = engine.enrollment.registeredAccounts.map(\.account).filter { isSignedIn($0) }
    var failure: ExitStatus?
    for account in [nil] + accounts {
      let owner = account.map { engine.state.name(of: $0) } ?? "your own"
      for name in notes.names(of: account) {
        // One that cannot be shown hides no other.
        do { terminal.write("\(owner)  \(name): \(try text(of: try Note(name, of: account)))") } catch {
          failure = terminal.report(error)
        }
      }
    }
    if let failure { throw Unsuccessful(code: failure) }
  }

  /// Brings the notes in line with what the journal says: removes those of accounts that are signed out, and encrypts those of
  /// an account whose policy has come into force.
  func tidy() throws {
    for folder in try notes.folders.names() {
      // What the journal knows nothing of is not the app's.
      guard let account = AccountNumber(folder), engine.withState({ $0.accounts[account] != nil }) else { continue }
      if !isSignedIn(account) { try removeNotes(of: account) }
    }
    for account in engine.state.accounts.records.map(\.account) {
      // Nothing may keep the app from its work.
      do { try notes.protectAll(of: account) { terminal.write("\($0)") } } catch { terminal.write("\(error)") }
    }
  }

  /// Removes the notes of an account that is signed out. What came in from another account that is signed in becomes that one's.
  private func removeNotes(of account: AccountNumber) throws {
    for name in notes.names(of: account) {
      let note = try Note(name, of: account)
      let owner = try? notes.files.protectionInfo(try notes.path(note))?.owner.flatMap { AccountReference($0) }
      if let other = owner.flatMap({ try? engine.state.number(ofSignedIn: $0) }), other != account {
        try notes.move(note, to: other)
      } else {
        try? notes.delete(note)
      }
    }
    try? notes.folders.remove(Note.folder(of: account))
  }
}
