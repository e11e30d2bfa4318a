import Journal
import Synchronization

/// The system's files, with something done before a write or a sync.
final class HookedFileSystem: ForwardingFileSystem {
  let base: any FileSystem = PosixFileSystem()
  private let beforeSyncing = Mutex<(@Sendable () -> Bool)?>(nil)
  private let writeError = Mutex<Int32?>(nil)
  private let beforeWriting = Mutex<(@Sendable (_ offset: UInt64) -> Void)?>(nil)

  private let unreadable = Mutex<String?>(nil)
  private let undelivered = Mutex<(name: String?, reads: Int, files: [OpenFile: String])>((nil, 0, [:]))
  private let isListed = Mutex(true)
  private let hasThreads = Mutex(true)

  /// Starts no threads any more.
  func endThreads() {
    hasThreads.withLock { $0 = false }
  }

  /// Lets a file fail to be opened.
  func failOpening(_ name: String) {
    unreadable.withLock { $0 = name }
  }

  /// Lets all reads of a file fail after the next few; of none for `nil`.
  func failReading(_ name: String?, after reads: Int = 0) {
    undelivered.withLock { ($0.name, $0.reads) = (name, reads) }
  }

  /// Lets folders fail to be listed, or not any more.
  func failListing(_ fails: Bool) {
    isListed.withLock { $0 = !fails }
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
    let file = try base.open(path, mode)
    undelivered.withLock { $0.files[file] = path }
    return file
  }

  func read(
    _ file: OpenFile, into buffer: UnsafeMutableRawBufferPointer, at offset: UInt64
  ) throws(FileSystemError) -> Int {
    let fails = undelivered.withLock { state in
      guard let name = state.name, state.files[file]?.hasSuffix("/" + name) ?? false else { return false }
      state.reads -= 1
      return state.reads < 0
    }
    if fails { throw FileSystemError(5, during: "read") }
    return try base.read(file, into: buffer, at: offset)
  }

  func list(_ path: String) throws(FileSystemError) -> [String] {
    guard isListed.withLock({ $0 }) else { throw FileSystemError(5, during: "list") }
    return try base.list(path)
  }

  func startThread(_ body: @escaping @Sendable () -> Void) -> Bool {
    hasThreads.withLock { $0 } && base.startThread(body)
  }
}
