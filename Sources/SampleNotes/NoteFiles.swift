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

  /// The longest text of a note, in bytes.
  static let maximumLength = 16 << 20

  /// Ends the name of a note's file.
  static let suffix = ".note"

  static func isName(_ text: String) -> Bool {
    (1...64).contains(text.utf8.count) && text.allSatisfy { $0.isLetter || $0.isNumber || $0 == "-" || $0 == "_" }
  }

  /// The folder of an account's notes. Its name names no person.
  static func folder(of account: AccountNumber?) -> String { account?.description ?? "personal" }

  var owner: AccountReference? { account.map { AccountReference($0) } }
}

/// The files of the notes, as the app and its share extension use them at the same time.
struct NoteFiles: Sendable {
  let phone: Phone
  let keys: AccountKeys
  let files: FileProtectionManager
  let data: DataProtectionManager
  /// The folders of the accounts. A link in the place of one leads the app nowhere.
  let folders: InnerFolders
  private let marks: NoteMarks
  private let state: @Sendable () throws -> AppProtectionState

  init(_ phone: Phone, _ keys: AccountKeys, state: @escaping @Sendable () throws -> AppProtectionState) {
    (self.phone, self.keys, self.state) = (phone, keys, state)
    folders = InnerFolders(of: phone.documents)
    marks = NoteMarks(keys)
    files = FileProtectionManager(protector: keys.protector, state: state)
    data = DataProtectionManager(protector: keys.protector, state: state)
  }

  /// Where a note is or will be: in a folder of the account's own, which is made if it is missing.
  func path(_ note: Note) throws -> String {
    let folder = Note.folder(of: note.account)
    do { try folders.make(folder) } catch {
      throw PhoneError(
        "\(phone.documents)/\(folder)", "\(error)",
        remedy: "Notes need a folder of their own there: move away what is none")
    }
    return "\(phone.documents)/\(folder)/\(note.name)\(Note.suffix)"
  }

  /// Whose policy decides what may be done with a note: that of the account whose key encrypts it, wherever it lies.
  func owner(of note: Note) throws -> AccountReference? {
    let info = try files.protectionInfo(try path(note))
    guard let info, info.isEncrypted, let owner = info.owner.flatMap({ AccountReference($0) }) else {
      return note.owner
    }
    return owner
  }

  /// What a note must be to be read: encrypted, once all notes of its account were. A plain one in its place is not the
  /// app's.
  private func requirement(for note: Note) throws -> RequiredProtection {
    guard let account = note.account, try hasPolicy(account), try marks.areProtected(account), try !marks.isOthers(note)
    else { return .any }
    return .encrypted
  }

  private func hasPolicy(_ account: AccountNumber) throws -> Bool {
    try state().enforcedPolicy(for: .account(account)) != nil
  }

  /// Forgets that an account's notes are encrypted where what is written now may not be.
  private func prepareToWrite(_ account: AccountNumber?) throws {
    if let account, try !hasPolicy(account) { try marks.removeProtected(account) }
  }

  /// Writes a note. After a crash, its old text or its new one is there.
  func write(_ bytes: [UInt8], to note: Note) throws {
    guard bytes.count <= Note.maximumLength else {
      throw UsageError("a note has at most \(Note.maximumLength >> 20) MiB: divide it into several")
    }
    try prepareToWrite(note.account)
    try files.write(bytes, to: try path(note), for: note.owner)
    try marks.removeOthers(note)
  }

  func text(of note: Note) throws -> String {
    let bytes = try files.contents(
      of: try path(note), atMost: Note.maximumLength, requiring: try requirement(for: note))
    return String(decoding: bytes, as: UTF8.self)
  }

  /// Writes a plain copy of a note.
  func decrypt(_ note: Note, toCopy copy: String) throws {
    try files.decryptFile(try path(note), toCopy: copy, requiring: try requirement(for: note))
  }

  /// Writes a copy of a note for another app of its owner's.
  func handOut(_ note: Note, to copy: String, for owner: AccountReference?) throws {
    try files.handOut(try path(note), to: copy, for: owner, requiring: try requirement(for: note))
  }

  /// Whether a note is there.
  func exists(_ note: Note) throws -> Bool {
    // A folder that is none of the app's is an error, and not an empty one.
    _ = try path(note)
    return names(of: note.account).contains(note.name)
  }

  func delete(_ note: Note) throws {
    let path = try path(note)
    try PhoneError.naming(path) { () throws(FileSystemError) in try phone.disk.remove(path) }
    try marks.removeOthers(note)
  }

  /// Gives a note to another account, under a name that is free there.
  func move(_ note: Note, to account: AccountNumber) throws {
    let taken = Set(names(of: account))
    var (name, number) = (note.name, 1)
    while taken.contains(name) {
      number += 1
      name = "\(note.name.prefix(48))-\(number)"
    }
    let (old, new) = (try path(note), try path(try Note(name, of: account)))
    try PhoneError.naming(old) { () throws(FileSystemError) in try phone.disk.rename(old, to: new) }
    try marks.removeOthers(note)
  }

  /// The names of an account's notes.
  func names(of account: AccountNumber?) -> [String] {
    guard let names = try? folders.files(in: Note.folder(of: account)) else { return [] }
    return names.filter { $0.hasSuffix(Note.suffix) }.map { String($0.dropLast(Note.suffix.count)) }.sorted()
  }

  /// Makes a note of what another app shares, if the account may take it in: it stays its sender's, and what has no owner
  /// becomes the account's. What another app shares replaces no note.
  func receive(_ item: SharedItem, as note: Note) throws -> Decision<ReceiveOutcome> {
    guard !names(of: note.account).contains(note.name) else {
      throw NotesRefusal("there is a note \(note.name): take it in under another name")
    }
    try prepareToWrite(note.account)
    // Of one that had the name before: it would let a forged one pass for it.
    try marks.removeOthers(note)
    let received = try files.receive(item, to: try path(note), as: note.owner)
    switch received.decision.outcome {
    case .allowed, .allowedAsOrganizationData: try protect(note)
    case .needsUnmanagedIdentity, .refused: break
    }
    return received.decision
  }

  /// Encrypts the notes that were written before an account's policy came into force, and requires of all notes from then on that
  /// they are encrypted. What is plain later is left alone: encrypting it would make a forged note authentic.
  ///
  /// - Parameter report: Gets the error of each note that could not be encrypted. The next call begins again then.
  func protectAll(of account: AccountNumber, report: (any Error) -> Void) throws {
    guard try hasPolicy(account) else { return try marks.removeProtected(account) }
    guard try !marks.areProtected(account) else { return }
    let folder = Note.folder(of: account)
    var isDone = true
    for file in try folders.names().contains(folder) ? try folders.files(in: folder) : [] {
      let name = String(file.dropLast(Note.suffix.count))
      guard file.hasSuffix(Note.suffix), Note.isName(name) else { continue }
      do { try protect(try Note(name, of: account)) } catch {
        isDone = false
        report(error)
      }
    }
    if isDone { try marks.setProtected(account) }
  }

  /// Encrypts a note whose account's policy has come into force since it was written.
  func protect(_ note: Note) throws {
    guard let account = note.account, let owner = note.owner, try hasPolicy(account) else { return }
    let path = try path(note)
    // Most are encrypted, and making sure of it once more would cost a sync each.
    guard try !files.isFileEncrypted(path) else { return }
    do throws(DataProtectionError) { try files.verifyAndProtect(path, for: owner) } catch {
      // It came in from another account, and stays that account's.
      guard error.code == .invalidArguments else { throw error }
      try marks.setOthers(note)
    }
  }
}
