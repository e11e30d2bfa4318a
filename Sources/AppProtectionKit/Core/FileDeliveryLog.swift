import Journal
import SystemCalls

/// A progress in a small file, by default beside the journal, under its name with the ending `.told`.
///
/// | offset | bytes | content |
/// |---|---|---|
/// | 0 | 8 | `PJTOLD1` and a zero |
/// | 8 | 8 | number of the record |
/// | 16 | 16 | the journal's id |
/// | 32 | 8 | ``DeliveryProgress/nextEvent`` |
/// | 40 | 4 | ``DeliveryProgress/madeCallbacks`` |
/// | 44 | 8 | ``DeliveryProgress/acknowledgedWipes`` |
/// | 52 | 8 | zeros |
/// | 60 | 4 | CRC-32 of the bytes before it |
///
/// Numbers are little endian. The file has two such records. The one with the higher number counts, and the other is
/// overwritten, so that a write cut short leaves the last progress.
public struct FileDeliveryLog: DeliveryLog {
  private static let magic = Array("PJTOLD1\0".utf8)
  private static let length = 64

  /// The file.
  public let path: String
  private let fileSystem: any FileSystem
  private let isSynced: Bool

  /// - Parameters:
  ///   - path: The file, which need not exist yet. Its folder must.
  ///   - fileSystem: What holds it.
  ///   - isSynced: Whether a record survives a power cut, and not only the end of the process.
  public init(at path: String, fileSystem: any FileSystem = PosixFileSystem(), isSynced: Bool = true) {
    self.path = path
    self.fileSystem = fileSystem
    self.isSynced = isSynced
  }

  /// The progress last written; `nil` if the file is missing, foreign or damaged.
  public func read() -> DeliveryProgress? {
    guard let file = try? fileSystem.open(path, .read) else { return nil }
    defer { fileSystem.close(file) }
    return newest(of: file)?.progress
  }

  /// Writes over the older of the two records.
  public func write(_ progress: DeliveryProgress) {
    try? replace(progress)
  }

  private struct Slot {
    var index: Int
    var number: UInt64
    var progress: DeliveryProgress
  }

  private func replace(_ progress: DeliveryProgress) throws(FileSystemError) {
    let file = try fileSystem.open(path, .createOrUpdate)
    defer { fileSystem.close(file) }
    let isNew = try fileSystem.size(of: file) == 0
    let newest = newest(of: file)
    var record = FixedRecord(size: Self.length)
    record.set(Self.magic, at: 0)
    record.set((newest?.number ?? 0) &+ 1, at: 8)
    record.set(progress.journal.bytes, at: 16)
    record.set(progress.nextEvent, at: 32)
    record.set(progress.madeCallbacks, at: 40)
    record.set(progress.acknowledgedWipes, at: 44)
    record.seal()
    let start = newest?.index == 0 ? Self.length : 0
    try fileSystem.writeAll(file, record.bytes, at: UInt64(start))
    guard isSynced else { return }
    try fileSystem.sync(file)
    if isNew { try fileSystem.syncDirectory(FileName.folder(of: path)) }
  }

  private func newest(of file: OpenFile) -> Slot? {
    let slots = [0, 1].compactMap { slot($0, of: file) }
    return slots.max { $0.number < $1.number }
  }

  private func slot(_ index: Int, of file: OpenFile) -> Slot? {
    var bytes = [UInt8](repeating: 0, count: Self.length)
    var filled = 0
    while filled < Self.length {
      let offset = UInt64(index * Self.length + filled)
      let count = bytes.withUnsafeMutableBytes { buffer in
        (try? fileSystem.read(file, into: UnsafeMutableRawBufferPointer(rebasing: buffer[filled...]), at: offset)) ?? 0
      }
      guard count > 0 else { return nil }
      filled += count
    }
    guard let record = FixedRecord(bytes, size: Self.length), record.slice(at: 0, count: 8) == Self.magic,
      record.isSealed(), let journal = JournalID(bytes: record.slice(at: 16, count: 16))
    else { return nil }
    let progress = DeliveryProgress(
      journal: journal, nextEvent: record.integer(at: 32), madeCallbacks: record.integer(at: 40),
      acknowledgedWipes: record.integer(at: 44))
    return Slot(index: index, number: record.integer(at: 8), progress: progress)
  }
}
