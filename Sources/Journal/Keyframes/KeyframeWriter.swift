/// Writes the file `KEYFRAMES` of a journal. Only the journal's writer may have one.
///
/// Nothing is synced: a power cut may remove or tear entries, which then count as missing.
public struct KeyframeWriter: ~Copyable, Sendable {
  private let directory: JournalDirectory
  private let id: JournalID
  private let file: OpenFile
  private let name: String
  private var page: UInt64
  /// The event of the last entry; 0 without one.
  public private(set) var lastSequence: UInt64
  /// The length of its body in bytes; 0 without one.
  public private(set) var lastBodyLength: Int

  /// Continues after the last entry that is not after an event and that `isRight` accepts; the rest belongs to a
  /// history that was given up, or was not finished, and is cut off. Without such an entry, the file starts empty.
  ///
  /// - Throws: `unsupportedFormat` for a file that a newer program began, which is left as it is; `inputOutput`,
  ///   `noSpace`.
  public init(
    _ journal: JournalWriter, after sequence: UInt64, isRight: (Keyframe) -> Bool
  ) throws(JournalError) {
    let file = try KeyframeFile.open(journal.directory, of: journal.id)
    try file?.requireKnownFormat()
    var last = try file?.last(notAfter: sequence)
    if let found = last, !isRight(found) { last = nil }
    try self.init(journal.directory, journal.id, Keyframe.fileName, .createOrUpdate, after: last)
  }

  /// Opens the file under a name, and cuts it after an entry.
  init(
    _ directory: JournalDirectory, _ id: JournalID, _ name: String, _ mode: OpenMode, after last: Keyframe? = nil
  ) throws(JournalError) {
    let file: OpenFile
    do {
      file = try directory.fileSystem.open(directory.path(of: name), mode)
    } catch {
      throw JournalError.system(error, file: name)
    }
    let page = last?.end ?? 0
    do {
      try directory.fileSystem.setSize(of: file, to: page * UInt64(Keyframe.pageSize))
    } catch {
      directory.fileSystem.close(file)
      throw JournalError.system(error, file: name)
    }
    self.directory = directory
    self.id = id
    self.file = file
    self.name = name
    self.page = page
    lastSequence = last?.sequence ?? 0
    lastBodyLength = last?.bodyLength ?? 0
  }

  deinit {
    directory.fileSystem.close(file)
  }

  /// Adds an entry, which must be of a later event than the last one. One of more than 64 MiB is not written.
  ///
  /// - Throws: `inputOutput`, `noSpace`; the file then ends after the last whole entry.
  public mutating func append(sequence: UInt64, chain: UInt32, body: [UInt8]) throws(JournalError) {
    guard sequence > lastSequence, body.count <= Keyframe.maximumBodyLength else { return }
    let entry = Keyframe(sequence: sequence, chain: chain, page: page, body: body)
    do {
      try directory.fileSystem.writeAll(file, entry.encoded(body, of: id), at: page * UInt64(Keyframe.pageSize))
    } catch {
      try? directory.fileSystem.setSize(of: file, to: page * UInt64(Keyframe.pageSize))
      throw JournalError.system(error, file: name)
    }
    page = entry.end
    (lastSequence, lastBodyLength) = (sequence, body.count)
  }
}
