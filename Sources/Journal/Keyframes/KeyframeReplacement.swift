/// A rebuilt `KEYFRAMES` file, which replaces the old one when it is complete.
///
/// It holds the journal's lock, so that no writer adds to the old file meanwhile. Abandoned before ``install()``, it
/// leaves everything as it was.
public struct KeyframeReplacement: ~Copyable {
  private let directory: JournalDirectory
  private let lock: WriterLock
  private var writer: KeyframeWriter
  private var isInstalled = false

  private static let temporaryName = Keyframe.fileName + ".tmp"

  /// Begins an empty file.
  ///
  /// - Throws: `locked` while another writer has the journal open; `unsupportedFormat` for a file that a newer program
  ///   began; `inputOutput`, `noSpace`.
  public init(_ reader: JournalReader) throws(JournalError) {
    // A refusal leaves nothing behind, not even the lock's file.
    try reader.keyframes()?.requireKnownFormat()
    let lock = try WriterLock(reader.directory)
    try reader.keyframes()?.requireKnownFormat()
    try lock.sign()
    let writer = try KeyframeWriter(reader.directory, reader.identity.id, Self.temporaryName, .replace)
    directory = reader.directory
    self.lock = lock
    self.writer = writer
  }

  deinit {
    if !isInstalled { try? directory.fileSystem.remove(directory.path(of: Self.temporaryName)) }
  }

  /// Adds an entry, which must be of a later event than the last one.
  ///
  /// - Throws: `inputOutput`, `noSpace`.
  public mutating func append(sequence: UInt64, chain: UInt32, body: [UInt8]) throws(JournalError) {
    try writer.append(sequence: sequence, chain: chain, body: body)
  }

  /// Replaces the old file. Nothing is synced: it is a cache.
  ///
  /// - Throws: `inputOutput`.
  public mutating func install() throws(JournalError) {
    do {
      try directory.fileSystem.rename(
        directory.path(of: Self.temporaryName), to: directory.path(of: Keyframe.fileName))
      isInstalled = true
    } catch {
      throw JournalError.system(error, file: Keyframe.fileName)
    }
  }
}
