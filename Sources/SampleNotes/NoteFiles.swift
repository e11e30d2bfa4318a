import AppProtectionKit

/// A note: a file in the folder of its account.
struct Note {
  let name: String
  /// The account; `nil` for the user's own.
  let account: AccountNumber?

  init(_ name: String, of account: AccountNumber?) throws {
    guard Self.isName(name) else { throw UsageError("a note cannot be named \(name): use letters, digits, - and _") }
    self.name = name
    self.account = account
  }

  /// Ends the name of a note's file.
  static let suffix = ".note"

  static func isName(_ text: String) -> Bool {
    (1...64).contains(text.utf8.count) && text.allSatisfy { $0.isLetter || $0.isNumber || $0 == "-" || $0 == "_" }
  }

  /// The folder of an account's notes. It names nobody.
  static func folder(of account: AccountNumber?) -> String { account?.description ?? "personal" }

  var owner: AccountReference? { account.map { AccountReference($0) } }
}

/// The files of the notes, as the app and its share extension use them at the same time.
struct NoteFiles: Sendable {
  let phone: Phone
  let files: FileProtectionManager
  let data: DataProtectionManager
  private let state: @Sendable () -> AppProtectionState

  init(_ phone: Phone, _ keys: AccountKeys, state: @escaping @Sendable () -> AppProtectionState) {
    self.phone = phone
    self.state = state
    files = FileProtectionManager(protector: keys.protector, state: state)
    data = DataProtectionManager(protector: keys.protector, state: state)
  }

  func path(_ note: Note) -> String { "\(phone.documents)/\(Note.folder(of: note.account))/\(note.name)\(Note.suffix)" }

  /// Writes a note. After a crash, its old text or its new one is there.
  func write(_ bytes: [UInt8], to note: Note) throws {
    try makeFolder(of: note.account)
    try files.write(bytes, to: path(note), for: note.owner)
  }

  func text(of note: Note) throws -> String { String(decoding: try files.contents(of: path(note)), as: UTF8.self) }

  func delete(_ note: Note) throws { try phone.disk.remove(path(note)) }

  /// Gives a note to another account, under a name that is free there.
  func move(_ note: Note, to account: AccountNumber) throws {
    try makeFolder(of: account)
    let taken = Set(names(of: account))
    var (name, number) = (note.name, 1)
    while taken.contains(name) {
      number += 1
      name = "\(note.name.prefix(48))-\(number)"
    }
    try phone.disk.rename(path(note), to: path(try Note(name, of: account)))
  }

  /// The names of an account's notes.
  func names(of account: AccountNumber?) -> [String] {
    guard let names = try? phone.disk.list("\(phone.documents)/\(Note.folder(of: account))") else { return [] }
    return names.filter { $0.hasSuffix(Note.suffix) }.map { String($0.dropLast(Note.suffix.count)) }.sorted()
  }

  /// Makes a note of what another app shares, if the account may take it in: it stays its sender's, and what has no owner
  /// becomes the account's.
  func receive(_ item: SharedItem, as note: Note) throws -> Decision<ReceiveOutcome> {
    try makeFolder(of: note.account)
    let received = try files.receive(item, to: path(note), as: note.owner)
    switch received.decision.outcome {
    case .allowed, .allowedAsOrganizationData: try protect(note)
    case .needsUnmanagedIdentity, .refused: break
    }
    return received.decision
  }

  /// Encrypts a note whose account's policy has come into force since it was written.
  func protect(_ note: Note) throws {
    guard let account = note.account, let owner = note.owner, state().enforcedPolicy(for: .account(account)) != nil
    else {
      return
    }
    do throws(DataProtectionError) { try files.verifyAndProtect(path(note), for: owner) } catch {
      // It came in from another account, and stays that account's.
      guard error.code == .invalidArguments else { throw error }
    }
  }

  private func makeFolder(of account: AccountNumber?) throws {
    try phone.disk.makeFolder("\(phone.documents)/\(Note.folder(of: account))")
  }
}
