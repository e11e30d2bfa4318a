import Synchronization

/// An open protected file: reads and writes at any place, as the calls of POSIX do (`IntuneMAMFile`).
///
/// ```swift
/// let file = try protector.create(at: path, .encrypted(owner: "alice@contoso.com"))
/// try file.write(Array("minutes of the meeting".utf8))
/// try file.sync()
/// print(try file.pread(7, at: 0).count)  // 7
/// try file.close()
/// ```
///
/// What was written since the last ``sync()`` is in this process alone: after a crash, every chunk of the file is as it was at
/// the last sync, or every one is as at the interrupted one. ``close()`` syncs; a file that is dropped without it keeps only
/// what was synced. A file is open for writing once at a time; readers in other processes see the sync at their opening,
/// or a later one once its pages are used again.
///
/// May be used by several threads; each call is carried out as a whole.
public final class ProtectedFile: Sendable {
  /// The path that it was opened at.
  public let path: String
  private let state: Mutex<State>

  private struct State {
    var contents: (any FileContents)?
    var position: UInt64 = 0
  }

  /// Where ``seek(_:from:)`` counts from.
  public enum SeekOrigin: Sendable {
    /// The start of the contents.
    case start
    /// The current position.
    case current
    /// The end of the contents.
    case end
  }

  init(_ path: String, _ contents: sending any FileContents) {
    self.path = path
    state = Mutex(State(contents: contents))
  }

  deinit {
    state.withLock { $0.contents?.release() }
  }

  private func use<Value: Sendable>(
    _ body: (any FileContents, inout UInt64) throws(ProtectionError) -> Value
  ) throws(ProtectionError) -> Value {
    try state.withLock { (state) throws(ProtectionError) -> Value in
      guard let contents = state.contents else {
        throw ProtectionError(.closed, "the file was closed", remedy: "Open it again", file: path)
      }
      return try body(contents, &state.position)
    }
  }

  /// Whose it is, and whether it is encrypted.
  public func protectionInfo() throws(ProtectionError) -> ProtectionInfo {
    try use { (contents, _) throws(ProtectionError) in contents.info }
  }

  /// The length of the contents in bytes, with what was written and not synced.
  public func size() throws(ProtectionError) -> UInt64 {
    try use { (contents, _) throws(ProtectionError) in contents.size }
  }

  // MARK: Reading

  /// Reads from a place on, without moving the position.
  ///
  /// - Returns: The number of bytes read: as many as the buffer has room for, fewer only at the end.
  /// - Throws: ``ProtectionError`` that names the chunk if it is not as it was written. The buffer then holds nothing of use.
  public func pread(into buffer: UnsafeMutableRawBufferPointer, at offset: UInt64) throws(ProtectionError) -> Int {
    nonisolated(unsafe) let buffer = buffer
    return try use { (contents, _) throws(ProtectionError) in try contents.read(into: buffer, at: offset) }
  }

  /// Reads at most `count` bytes from a place on, without moving the position.
  public func pread(_ count: Int, at offset: UInt64) throws(ProtectionError) -> [UInt8] {
    try use { (contents, _) throws(ProtectionError) in try Self.read(count, contents, offset) }
  }

  /// Reads from the position on, and moves it after what was read.
  public func read(into buffer: UnsafeMutableRawBufferPointer) throws(ProtectionError) -> Int {
    nonisolated(unsafe) let buffer = buffer
    return try use { (contents, position) throws(ProtectionError) in
      let count = try contents.read(into: buffer, at: position)
      position += UInt64(count)
      return count
    }
  }

  /// Reads at most `count` bytes from the position on, and moves it after them.
  public func read(_ count: Int) throws(ProtectionError) -> [UInt8] {
    try use { (contents, position) throws(ProtectionError) in
      let bytes = try Self.read(count, contents, position)
      position += UInt64(bytes.count)
      return bytes
    }
  }

  private static func read(
    _ count: Int, _ contents: any FileContents, _ offset: UInt64
  ) throws(ProtectionError) -> [UInt8] {
    guard count > 0, offset < contents.size else { return [] }
    var bytes = [UInt8](repeating: 0, count: Int(min(UInt64(count), contents.size - offset)))
    let read = try bytes.withUnsafeMutableBufferPointer { (bytes) throws(ProtectionError) in
      try contents.read(into: UnsafeMutableRawBufferPointer(bytes), at: offset)
    }
    bytes.removeLast(bytes.count - read)
    return bytes
  }

  // MARK: Writing

  /// Writes at a place, without moving the position. A gap after the end reads as zeros.
  public func pwrite(_ bytes: UnsafeRawBufferPointer, at offset: UInt64) throws(ProtectionError) {
    nonisolated(unsafe) let bytes = bytes
    try use { (contents, _) throws(ProtectionError) in try contents.write(bytes, at: offset) }
  }

  /// Writes at a place, without moving the position. A gap after the end reads as zeros.
  public func pwrite(_ bytes: [UInt8], at offset: UInt64) throws(ProtectionError) {
    try bytes.withUnsafeBufferPointer { (bytes) throws(ProtectionError) in
      try pwrite(UnsafeRawBufferPointer(bytes), at: offset)
    }
  }

  /// Writes at the position, and moves it after what was written.
  public func write(_ bytes: UnsafeRawBufferPointer) throws(ProtectionError) {
    nonisolated(unsafe) let bytes = bytes
    try use { (contents, position) throws(ProtectionError) in
      try contents.write(bytes, at: position)
      position += UInt64(bytes.count)
    }
  }

  /// Writes at the position, and moves it after what was written.
  public func write(_ bytes: [UInt8]) throws(ProtectionError) {
    try bytes.withUnsafeBufferPointer { (bytes) throws(ProtectionError) in try write(UnsafeRawBufferPointer(bytes)) }
  }

  /// Cuts the contents, or extends them with zeros that take no room. Leaves the position.
  public func truncate(to size: UInt64) throws(ProtectionError) {
    try use { (contents, _) throws(ProtectionError) in try contents.truncate(to: size) }
  }

  // MARK: The position

  /// The position: where the next ``read(_:)`` and ``write(_:)-([UInt8])`` begin.
  public func tell() throws(ProtectionError) -> UInt64 {
    try use { (_, position) throws(ProtectionError) in position }
  }

  /// Moves the position, also after the end.
  ///
  /// - Returns: The new position.
  /// - Throws: ``ProtectionError/Code/tooLarge`` if it would lie before the start or after what the format holds.
  @discardableResult
  public func seek(_ offset: Int64, from origin: SeekOrigin = .start) throws(ProtectionError) -> UInt64 {
    try use { (contents, position) throws(ProtectionError) in
      let base: UInt64 =
        switch origin {
        case .start: 0
        case .current: position
        case .end: contents.size
        }
      let moved = Int64(base).addingReportingOverflow(offset)
      guard !moved.overflow, moved.partialValue >= 0, UInt64(moved.partialValue) <= Layout.maximumSize else {
        throw ProtectionError(
          .tooLarge, "the position would lie before the start, or after what the format holds",
          remedy: "Check the offset", file: path)
      }
      position = UInt64(moved.partialValue)
      return position
    }
  }

  // MARK: Durability

  /// Makes everything written so far durable, as a whole: after a crash during it, all of it is there or none.
  public func sync() throws(ProtectionError) {
    try use { (contents, _) throws(ProtectionError) in try contents.sync() }
  }

  /// The same as ``sync()``: the length is part of the contents, so the format has nothing less to sync.
  public func datasync() throws(ProtectionError) { try sync() }

  /// Syncs, and gives the file back to the system, even if it throws. Closing a closed file does nothing.
  public func close() throws(ProtectionError) {
    try state.withLock { (state) throws(ProtectionError) in
      guard let contents = state.contents else { return }
      state.contents = nil
      defer { contents.release() }
      try contents.sync()
    }
  }
}
