extension JournalWriter {
  /// Takes the mark of an unfinished journal away, once everything in it is durable and its writer is closed. Only now does
  /// it count as a journal.
  ///
  /// - Throws: `inputOutput`, `noSpace`: the journal is still marked, unless only the last step is not known to be durable.
  package static func markFinished(at path: String, fileSystem: any FileSystem) throws(JournalError) {
    let directory = JournalDirectory(path: path, fileSystem: fileSystem)
    let bytes = try directory.read(Format.identityName, limit: Format.maximumHeaderSize)?.bytes ?? []
    guard case .sound(var identity) = JournalIdentity.read(bytes) else { throw .notReadBack(Format.identityName) }
    identity.isUnfinished = false
    try directory.markFinished(identity)
  }
}

extension JournalDirectory {
  /// Writes `HEAD` without the mark of an unfinished journal, and `JOURNAL` with this identity, which has none.
  ///
  /// `HEAD` says so first, durably: if either of the two says that the journal is unfinished, it is refused. So after the loss
  /// of `JOURNAL` alone, it counts as whole from this point on, and as unfinished before.
  func markFinished(_ identity: JournalIdentity) throws(JournalError) {
    var head = try read(Format.headName, limit: Format.headSize)?.bytes ?? []
    for offset in Format.headSlotOffsets {
      guard var receipt = HeadReceipt(Array(head.dropFirst(offset).prefix(Format.headSlotSize)), of: identity.id) else {
        throw .notReadBack(Format.headName, offset: UInt64(offset))
      }
      receipt.isUnfinished = false
      head.replaceSubrange(offset..<offset + Format.headSlotSize, with: receipt.encoded(for: identity.id))
    }
    fileSystem.close(try install(Format.headName, head))
    fileSystem.close(try install(Format.identityName, identity.encoded()))
  }
}

extension JournalError {
  fileprivate static func notReadBack(_ file: String, offset: UInt64 = 0) -> JournalError {
    JournalError(
      .inputOutput, "what was written cannot be read back", remedy: "check the device", file: file, offset: offset)
  }
}
