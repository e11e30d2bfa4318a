import PlainText

/// A folder in which processes hand commands to the writer of a journal, one file for each.
///
/// A file is there as a whole or not at all, also after a power cut: it is written under another name, synced and renamed.
/// Nothing here interprets payloads.
package struct SpoolFolder: Sendable {
  /// The most commands that wait at a time.
  package static let maximumCount = 1024
  /// The most bytes of a payload.
  package static let maximumPayloadLength = SpoolFormat.maximumPayloadLength

  /// The journal to which the commands are handed.
  package let journal: JournalID
  private let directory: JournalDirectory

  /// - Parameters:
  ///   - path: the folder; its parent must exist.
  ///   - journal: the journal to which the commands are handed.
  ///   - fileSystem: the operating system's, except in tests.
  package init(path: String, of journal: JournalID, fileSystem: any FileSystem) {
    directory = JournalDirectory(path: path, fileSystem: fileSystem)
    self.journal = journal
  }

  /// Creates the folder, durably, unless it exists.
  package func create() throws(JournalError) {
    try directory.create()
    try checkIsNoLink()
  }

  /// Notices new files and outcomes from this moment on: call it before looking.
  package func changes() -> JournalChanges { JournalChanges(directory) }

  // MARK: Commands

  /// The commands that wait, by session and number: of each session, all that were handed over before the last of them.
  package func commands() throws(JournalError) -> [SpoolPlace] {
    let seen = try placesNow()
    guard !seen.isEmpty else { return [] }
    // A listing may miss a file that is created meanwhile, and still show a later one. What was there before this listing
    // is in the next.
    var last: [UInt64: UInt64] = [:]
    for place in seen { last[place.session] = max(last[place.session] ?? 0, place.number) }
    return try placesNow().filter { $0.number <= last[$0.session] ?? 0 }.sorted()
  }

  private func placesNow() throws(JournalError) -> [SpoolPlace] {
    try names().compactMap { place(of: $0, SpoolFormat.commandSuffix) }
  }

  /// Number of files that commands take: those that wait, and those that were set aside.
  package func count() throws(JournalError) -> Int {
    try names().count { $0.hasSuffix(SpoolFormat.commandSuffix) || $0.hasSuffix(SpoolFormat.asideSuffix) }
  }

  /// Hands a command over, durably when this returns.
  ///
  /// - Parameter isSealed: Whether keys seal all of the payload. Programs that do not know of this leave the file waiting.
  /// - Throws: `inputOutput`, `noSpace`, `tooLarge`. The command is then not in the folder, unless the folder could neither be
  ///   synced nor the file be removed again.
  package func put(_ payload: [UInt8], isSealed: Bool, at place: SpoolPlace) throws(JournalError) {
    let name = place.text + SpoolFormat.commandSuffix
    try checkLength(of: payload, in: name)
    let bytes = SpoolFile.encoded(
      SpoolFormat.commandMagic, of: journal, at: place, payload: payload, isSealed: isSealed)
    for attempt in 1... {
      do throws(JournalError) {
        directory.fileSystem.close(try directory.install(name, bytes))
        return
      } catch {
        // A writer that began meanwhile takes an unfinished file for one that a process left when it died.
        if error.errorNumber == OperatingSystem.noEntry, attempt < 4 { continue }
        try? directory.fileSystem.remove(directory.path(of: name))
        throw error
      }
    }
  }

  /// The payload of a command that waits.
  package func command(at place: SpoolPlace) throws(JournalError) -> SpoolContent {
    try content(
      place.text + SpoolFormat.commandSuffix, SpoolFormat.commandMagic, session: place.session, number: place.number)
  }

  /// Removes commands, durably.
  package func remove(_ places: [SpoolPlace]) throws(JournalError) {
    guard !places.isEmpty else { return }
    for place in places { try remove(place.text + SpoolFormat.commandSuffix) }
    try directory.syncNames(for: directory.path)
  }

  /// Keeps the file of a damaged command under another name.
  package func setAside(_ place: SpoolPlace) throws(JournalError) {
    try JournalError.translating(
      file: place.text + SpoolFormat.commandSuffix,
      try directory.fileSystem.rename(
        directory.path(of: place.text + SpoolFormat.commandSuffix),
        to: directory.path(of: place.text + SpoolFormat.asideSuffix)))
  }

  /// The names of the files that were set aside, and what they hold.
  package func asides() throws(JournalError) -> [(name: String, content: SpoolContent)] {
    var found: [(name: String, content: SpoolContent)] = []
    for name in try names() {
      guard let place = place(of: name, SpoolFormat.asideSuffix) else { continue }
      found.append(
        (name, try content(name, SpoolFormat.commandMagic, session: place.session, number: place.number)))
    }
    return found
  }

  /// Removes what processes left that died while they handed a command over.
  ///
  /// Only for a writer that begins: a process that is at work with such a file then writes it again.
  package func removeUnfinished() throws(JournalError) {
    for name in try names() where name.hasSuffix(SpoolFormat.unfinishedSuffix) { try remove(name) }
  }

  // MARK: Outcomes

  /// What the writer left for a session, and the number of the last command that it is done with.
  package func outcomes(of session: UInt64) throws(JournalError) -> SpoolContent {
    try content(
      SpoolPlace.text(session) + SpoolFormat.outcomesSuffix, SpoolFormat.outcomesMagic, session: session, number: nil)
  }

  /// The sessions for which the writer left outcomes.
  package func sessions() throws(JournalError) -> [UInt64] {
    try names().compactMap { name in
      name.hasSuffix(SpoolFormat.outcomesSuffix)
        ? SpoolPlace.session(name.dropLast(SpoolFormat.outcomesSuffix.count)) : nil
    }
  }

  /// Leaves the outcomes of a session's commands, durably, in place of earlier ones.
  ///
  /// - Parameter last: the last command, and the session.
  /// - Throws: `inputOutput`, `noSpace`, `tooLarge`. The earlier outcomes then stay.
  package func putOutcomes(_ payload: [UInt8], upTo last: SpoolPlace) throws(JournalError) {
    let name = SpoolPlace.text(last.session) + SpoolFormat.outcomesSuffix
    try checkLength(of: payload, in: name)
    let bytes = SpoolFile.encoded(SpoolFormat.outcomesMagic, of: journal, at: last, payload: payload)
    directory.fileSystem.close(try directory.install(name, bytes))
  }

  /// Removes the outcomes of a session.
  package func removeOutcomes(of session: UInt64) throws(JournalError) {
    try remove(SpoolPlace.text(session) + SpoolFormat.outcomesSuffix)
  }

  // MARK: Files

  /// Nothing is written that no reader takes.
  private func checkLength(of payload: [UInt8], in name: String) throws(JournalError) {
    guard payload.count <= Self.maximumPayloadLength else {
      throw JournalError(
        .tooLarge, "a file of the spool would have a payload of \(UInt64(payload.count).grouped) bytes",
        remedy: "hand over at most \(UInt64(Self.maximumPayloadLength).grouped) bytes at a time", file: name)
    }
  }

  private func place(of name: String, _ suffix: String) -> SpoolPlace? {
    name.hasSuffix(suffix) ? SpoolPlace(name.dropLast(suffix.utf8.count)) : nil
  }

  /// The names in the folder; none where there is no folder.
  private func names() throws(JournalError) -> [String] {
    try checkIsNoLink()
    do throws(JournalError) {
      return try directory.names()
    } catch {
      if error.errorNumber == OperatingSystem.noEntry { return [] }
      guard error.errorNumber == OperatingSystem.notADirectory else { throw error }
      throw JournalError(
        .inputOutput, "something else is in the place of the folder of commands", remedy: "move it away",
        file: directory.path,
        errorNumber: error.errorNumber)
    }
  }

  /// A link in the folder's place would have the writer rename and remove files elsewhere.
  private func checkIsNoLink() throws(JournalError) {
    do throws(FileSystemError) {
      // Fails for a folder; for a link, it fails with a number of its own.
      directory.fileSystem.close(try directory.fileSystem.open(directory.path, .update))
    } catch {
      guard error.code == OperatingSystem.isLink else { return }
      throw JournalError(
        .inputOutput, "a link is in the place of the folder of commands", remedy: "remove it", file: directory.path,
        errorNumber: error.code)
    }
  }

  private func remove(_ name: String) throws(JournalError) {
    do throws(FileSystemError) {
      try directory.fileSystem.remove(directory.path(of: name))
    } catch {
      if error.code != OperatingSystem.noEntry { throw JournalError.system(error, file: name) }
    }
  }

  private func content(
    _ name: String, _ magic: UInt64, session: UInt64, number: UInt64?
  ) throws(JournalError) -> SpoolContent {
    let limit = SpoolFormat.headerSize + SpoolFormat.maximumPayloadLength
    switch try directory.content(of: name, limit: limit) {
    case .missing: return .missing
    case .other(let what): return .damaged("it is not a file: \(what)")
    case .file(let bytes, let length):
      guard length <= UInt64(limit) else { return .damaged("it is longer than any command") }
      return SpoolFile.content(bytes, magic, of: journal, session: session, number: number)
    }
  }
}
