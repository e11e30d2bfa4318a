/// The directory that a salvage writes to: empty before, and after a failure.
struct SalvageTarget {
  /// What a salvage leaves that is ended from outside before there is anything of a journal.
  private static let beginnings = [
    Format.lockName, Format.identityName + ".tmp", Format.headName + ".tmp",
  ]

  let directory: JournalDirectory
  /// The journal that is to be written.
  let identity: JournalIdentity

  /// Refuses a directory that holds anything.
  ///
  /// - Throws: `alreadyExists`, which says whether it is what another salvage left; `inputOutput`.
  func check() throws(JournalError) {
    let path = directory.path
    var names: [String] = []
    do throws(FileSystemError) {
      names = try directory.fileSystem.list(path)
    } catch {
      guard error.code == Platform.noEntry else { throw JournalError.system(error, file: path) }
    }
    guard names.contains(where: { !Self.beginnings.contains($0) }) else { return }
    guard isUnfinished else {
      throw JournalError(
        .alreadyExists, "the directory is not empty", remedy: "name one that does not exist yet", file: path)
    }
    throw JournalError(
      .alreadyExists,
      "it holds a salvaged journal of \(names.count) files that is not closed: a salvage was ended in the middle, or "
        + "a program writes the journal, or ended without closing it",
      remedy:
        "name one that does not exist yet; remove this one only if no program has written to it since it was salvaged",
      file: path)
  }

  /// Whether there is a salvaged journal that may hold less than the salvage found.
  private var isUnfinished: Bool {
    guard let bytes = (try? directory.read(Format.identityName, limit: Format.maximumHeaderSize))??.bytes,
      case .sound(let found) = JournalIdentity.read(bytes), found.isSalvaged
    else { return false }
    let head = (try? directory.read(Format.headName, limit: Format.maximumHeaderSize))??.bytes ?? []
    return HeadReceipt.read(head, of: found.id).newest?.isClean != true
  }

  /// Removes what was written while nobody else may write it, unless it is somebody else's by now.
  func clearBeginning() {
    guard let lock = try? WriterLock(directory) else { return }
    withExtendedLifetime(lock) {
      let bytes = (try? directory.read(Format.identityName, limit: Format.maximumHeaderSize))??.bytes
      guard bytes.map({ $0 == identity.encoded() }) ?? true else { return }
      clear()
    }
  }

  /// Removes the journal's files.
  func clear() {
    for name in (try? directory.fileSystem.list(directory.path)) ?? [] where isOwn(name) {
      try? directory.fileSystem.remove(directory.path(of: name))
    }
  }

  private func isOwn(_ name: String) -> Bool {
    let stem = name.hasSuffix(".tmp") ? String(name.dropLast(4)) : name
    return [Format.lockName, Format.identityName, Format.headName].contains(stem) || SegmentName(stem) != nil
      || Checkpoint.isName(stem)
  }

  /// An error with what a failure left in the directory, and what to do about that.
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
