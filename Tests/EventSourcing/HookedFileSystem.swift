import Journal
import Synchronization

/// The system's files, with something done before a write or a sync.
final class HookedFileSystem: ForwardingFileSystem {
  let base: any FileSystem = PosixFileSystem()
  private let beforeSyncing = Mutex<(@Sendable () -> Bool)?>(nil)
  private let writeError = Mutex<Int32?>(nil)
  private let beforeWriting = Mutex<(@Sendable (_ offset: UInt64) -> Void)?>(nil)

  private let unreadable = Mutex<String?>(nil)
  private let hasThreads = Mutex(true)

  /// Starts no threads any more.
  func endThreads() {
    hasThreads.withLock { $0 = false }
  }

  /// Lets a file fail to be opened.
  func failOpening(_ name: String) {
    unreadable.withLock { $0 = name }
  }

  /// Does something before the next write, and not before later ones.
  func beforeNextWrite(_ body: @escaping @Sendable (_ offset: UInt64) -> Void) {
    beforeWriting.withLock { $0 = body }
  }

  /// Lets the next write of events fail, and not later ones.
  func failNextWrite(_ code: Int32) {
    writeError.withLock { $0 = code }
  }

  /// Does something before every sync of a file; the sync fails when that says `false`.
  func beforeSyncs(_ body: (@Sendable () -> Bool)?) {
    beforeSyncing.withLock { $0 = body }
  }

  func sync(_ file: OpenFile) throws(FileSystemError) {
    if let body = beforeSyncing.withLock({ $0 }), !body() { throw FileSystemError(5, during: "sync") }
    try base.sync(file)
  }

  func write(_ file: OpenFile, _ bytes: UnsafeRawBufferPointer, at offset: UInt64) throws(FileSystemError) -> Int {
    let body = beforeWriting.withLock { body in
      defer { body = nil }
      return body
    }
    body?(offset)
    // A receipt in HEAD has 64 bytes, and may fail silently.
    let code = writeError.withLock { code -> Int32? in
      guard bytes.count > 64 else { return nil }
      defer { code = nil }
      return code
    }
    if let code { throw FileSystemError(code, during: "write") }
    return try base.write(file, bytes, at: offset)
  }

  func open(_ path: String, _ mode: OpenMode) throws(FileSystemError) -> OpenFile {
    if let name = unreadable.withLock({ $0 }), path.hasSuffix("/" + name) { throw FileSystemError(5, during: "open") }
    return try base.open(path, mode)
  }

  func startThread(_ body: @escaping @Sendable () -> Void) -> Bool {
    hasThreads.withLock { $0 } && base.startThread(body)
  }
}
