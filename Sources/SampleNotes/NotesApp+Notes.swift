import AppProtection
import AppProtectionKit
import Journal

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

  static func isName(_ text: String) -> Bool {
    (1...64).contains(text.utf8.count) && text.allSatisfy { $0.isLetter || $0.isNumber || $0 == "-" || $0 == "_" }
  }

  /// The folder of an account's notes. It names nobody.
  static func folder(of account: AccountNumber?) -> String { account?.description ?? "personal" }
}

extension NotesApp {
  func path(_ note: Note) -> String { "\(phone.documents)/\(Note.folder(of: note.account))/\(note.name)" }

  /// Writes a note of the account on the screen. After a crash, its old text or its new one is there.
  func write(_ text: String, to name: String) throws {
    try store(Array(text.utf8), in: try Note(name, of: accountOnScreen))
  }

  func store(_ bytes: [UInt8], in note: Note) throws {
    let path = path(note)
    try phone.disk.makeFolder("\(phone.documents)/\(Note.folder(of: note.account))")
    let account = note.account.map { AccountReference($0) }
    // Encrypted if the account's policy is in force: the plain text never reaches the disk.
    guard let account, engine.policies.isManagementEnabled else { return try phone.disk.replace(path, with: bytes) }
    let draft = path + PosixFileSystem.draftSuffix
    try? phone.disk.remove(draft)
    do {
      let file = try files.create(draft, for: account)
      try file.write(bytes)
      try file.close()
      try phone.disk.rename(draft, to: path)
    } catch let error as DataProtectionError where error.code == .applicationNotManaged {
      // No policy is in force yet: the files of all accounts are plain.
      try phone.disk.replace(path, with: bytes)
    }
  }

  /// The contents of a file, protected or not.
  func contents(of path: String) throws -> [UInt8] {
    guard try files.protectionInfo(path) != nil else { return try phone.disk.contents(of: path) }
    let file = try files.open(path)
    return try file.read(Int(try file.size()))
  }

  func read(_ name: String) throws {
    terminal.write(String(decoding: try contents(of: path(try Note(name, of: accountOnScreen))), as: UTF8.self))
  }

  func delete(_ name: String) throws { try phone.disk.remove(path(try Note(name, of: accountOnScreen))) }

  func list() throws {
    for name in try names(of: accountOnScreen) { terminal.write(name) }
  }

  /// Shows the notes of all accounts in a window of their own. It carries the identity of the managed account, so that its
  /// policy holds for all that the window shows.
  func overview() async throws {
    let managed = engine.policies.managedAccounts.map(\.account).first { isSignedIn($0) }
    try await show(managed.map { AccountReference($0) }, window: 2)
    let accounts = engine.enrollment.registeredAccounts.map(\.account).filter { isSignedIn($0) }
    for account in [nil] + accounts {
      for name in try names(of: account) {
        let text = String(decoding: try contents(of: path(try Note(name, of: account))), as: UTF8.self)
        terminal.write("\(account.map { engine.state.name(of: $0) } ?? "your own")  \(name): \(text)")
      }
    }
  }

  private func names(of account: AccountNumber?) throws -> [String] {
    guard let names = try? phone.disk.list("\(phone.documents)/\(Note.folder(of: account))") else { return [] }
    return names.filter { Note.isName($0) }.sorted()
  }

  /// Brings the files in line with what the journal says: removes what killed processes left and the notes of accounts that
  /// are signed out, and encrypts those of an account whose policy has come into force.
  func tidy() throws {
    for folder in try phone.disk.list(phone.documents).sorted() {
      let path = "\(phone.documents)/\(folder)"
      let account = AccountNumber(folder)
      let isSignedOut = account.map { !isSignedIn($0) } ?? false
      let policy = engine.policies.policy(for: account.map { AccountReference($0) })
      for name in try phone.disk.list(path).sorted() {
        let file = "\(path)/\(name)"
        if isSignedOut || name.hasSuffix(PosixFileSystem.draftSuffix) {
          try? phone.disk.remove(file)
        } else if let account = policy.account, policy.document != nil, Note.isName(name) {
          do throws(DataProtectionError) {
            try files.verifyAndProtect(file, for: AccountReference(account))
          } catch {
            // A file that came in from another account stays that account's.
            guard error.code == .invalidArguments else { throw error }
          }
        }
      }
      if isSignedOut { try? phone.disk.remove(path) }
    }
  }
}
