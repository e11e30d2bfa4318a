/// The directory that a salvage writes to: empty before, and after a failure.
struct SalvageTarget {
  /// What a salvage leaves if it is ended from outside before it has begun a journal.
  private static let beginnings = [
    Format.lockName, Format.identityName + ".tmp", Format.headName + ".tmp",
  ]

  let directory: JournalDirectory
  /// The journal that is to be written.
  let identity: JournalIdentity

  /// Refuses a directory that holds anything.
  ///
  /// - Throws: `alreadyExists`, which says whether another salvage left it; `inputOutput`.
  func check() throws(JournalError) {
    let path = directory.path
    var names: [String] = []
    do throws(FileSystemError) {
      names = try directory.fileSystem.list(path)
    } catch {
      guard error.code == OperatingSystem.noEntry else { throw JournalError.system(error, file: path) }
    }
    guard names.contains(where: { !Self.beginnings.contains($0) }) else { return }
    guard isUnfinished else {
      throw JournalError(
        .alreadyExists, "the directory is not empty", remedy: "name one that does not exist yet", file: path)
    }
    throw JournalError(
      .alreadyExists,
      "it holds an unfinished copy of \(names.count) files: another salvage is writing it, or was ended in the middle",
      remedy: "name one that does not exist yet; remove this one if no salvage is at work on it", file: path)
  }

  /// Whether the directory holds a copy that its salvage did not finish.
  private var isUnfinished: Bool { (try? JournalCatalog(directory))?.isUnfinished ?? false }

  /// The identity that the journal has until ``finish()``.
  var unfinishedIdentity: JournalIdentity {
    var identity = identity
    identity.isUnfinished = true
    return identity
  }

  /// Marks the journal as complete: the last steps, once everything is durable. Only now does it count as a journal.
  func finish() throws(JournalError) { try directory.markFinished(identity) }

  /// Writes that the events before the first one were retired on purpose.
  ///
  /// - Parameters:
  ///   - start: The place before the first event.
  ///   - checkpoint: One that stands for the retired events.
  func writeRetirement(before start: SalvageRoute.Place, _ checkpoint: Checkpoint) throws(JournalError) {
    let retirement = Retirement(
      firstOrdinal: 1, firstSequence: start.sequence + 1, chainIn: start.chain,
      checkpointSequence: checkpoint.sequence, checkpointChain: checkpoint.chain)
    directory.fileSystem.close(try directory.install(Format.keptName, retirement.encoded(for: identity.id)))
  }

  /// Removes what was written, under the writer's lock, unless another journal has taken its place.
  func clearBeginning() {
    guard let lock = try? WriterLock(directory) else { return }
    withExtendedLifetime(lock) {
      let bytes = (try? directory.read(Format.identityName, limit: Format.maximumHeaderSize))??.bytes
      let own = [identity.encoded(), unfinishedIdentity.encoded()]
      guard bytes.map({ own.contains($0) }) ?? true else { return }
      clear()
    }
  }

  /// Removes the journal's files.
  func clear() {
    for name in (try? directory.fileSystem.list(directory.path)) ?? [] where directory.isJournalFile(name) {
      try? directory.fileSystem.remove(directory.path(of: name))
    }
  }

  /// An error that also says what a failure left in the directory, and what to do about that.
  func explained(_ error: JournalError) -> JournalError {
    var error = error
    if error.code == .noSpace { error.remedy = "free some space, then salvage again" }
    let left = ((try? directory.fileSystem.list(directory.path)) ?? []).sorted()
    switch left.count {
    case 0: error.remedy += "; nothing is left in \(directory.path)"
    case 1: error.remedy += "; remove \(directory.path(of: left[0])) first, which is left"
    default:
      error.remedy += "; remove \(directory.path) first, in which \(left.count) files are left, such as \(left[0])"
    }
    return error
  }
}
