#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// Reading to the end, and writing all.
extension SystemCalls {
  /// How reading a file ended.
  package enum Contents: Equatable {
    /// All of it was read, and this was its status before.
    case bytes([UInt8], FileStatus)
    /// It exceeds the limit.
    case tooLong
    /// It is of another kind than was asked for.
    case notAFile
    /// The system refused, with this error number.
    case failed(Int32)
  }

  /// Reads a whole regular file of at most `limit` bytes. Never waits for a process that may open a pipe later.
  ///
  /// - Parameter acceptsPipes: Whether a pipe is read up to its end; one into which no process writes is none.
  package static func contents(
    of path: String, limit: Int, acceptsPipes: Bool = false, followsLinks: Bool = true
  ) -> Contents {
    let (file, error) = open(path, .read, followsLinks: followsLinks)
    // A socket cannot be opened.
    guard error == 0 else { return error == ENXIO ? .notAFile : .failed(error) }
    defer { close(file) }
    let (found, code) = status(of: file)
    guard let found else { return .failed(code) }
    guard found.kind == .file || (acceptsPipes && found.kind == .pipe) else { return .notAFile }
    guard found.kind == .pipe || found.size <= limit else { return .tooLong }
    let (bytes, failure) = rest(of: file, limit: limit)
    guard failure == 0 else { return .failed(failure) }
    guard let bytes else { return .tooLong }
    return found.kind == .pipe && bytes.isEmpty ? .notAFile : .bytes(bytes, found)
  }

  /// Reads an open file from its place to its end, waiting for what a pipe does not have yet; `nil` without an error if that
  /// exceeds the limit.
  ///
  /// - Parameter call: The system's, except in tests.
  package static func rest(
    of file: Int32, limit: Int, by call: (Int32, UnsafeMutableRawBufferPointer) -> Int = systemRead
  ) -> (bytes: [UInt8]?, error: Int32) {
    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 65_536)
    while true {
      let (count, error) = buffer.withUnsafeMutableBytes { buffer in uninterrupted { call(file, buffer) } }
      if error == EAGAIN {
        if let error = wait(for: Int16(POLLIN), file) { return (nil, error) }
        continue
      }
      guard error == 0 else { return (nil, error) }
      if count == 0 { return (bytes, 0) }
      guard bytes.count + count <= limit else { return (nil, 0) }
      bytes.append(contentsOf: buffer[..<count])
    }
  }

  /// Writes all of `bytes` at an open file's place, waiting for room in a pipe; returns the error number.
  ///
  /// - Parameter call: The system's, except in tests.
  package static func write(
    _ bytes: UnsafeRawBufferPointer, to file: Int32,
    by call: (Int32, UnsafeRawBufferPointer) -> Int = systemWrite
  ) -> Int32 {
    var rest = bytes
    while !rest.isEmpty {
      let (count, error) = uninterrupted { call(file, rest) }
      if error == EAGAIN {
        if let error = wait(for: Int16(POLLOUT), file) { return error }
        continue
      }
      guard error == 0 else { return error }
      // A device that takes nothing and gives no reason would be asked for ever.
      guard count > 0 else { return EIO }
      rest = UnsafeRawBufferPointer(rebasing: rest[min(count, rest.count)...])
    }
    return 0
  }

  /// Waits until a pipe is ready; the error number if that cannot be waited for.
  private static func wait(for events: Int16, _ file: Int32) -> Int32? {
    var entry = pollfd(fd: file, events: events, revents: 0)
    let error = uninterrupted { poll(&entry, 1, -1) }.error
    return error == 0 ? nil : error
  }

  /// The system's own call.
  package static func systemRead(_ file: Int32, _ buffer: UnsafeMutableRawBufferPointer) -> Int {
    #if canImport(Darwin)
      Darwin.read(file, buffer.baseAddress, buffer.count)
    #else
      Glibc.read(file, buffer.baseAddress, buffer.count)
    #endif
  }

  /// The system's own call.
  package static func systemWrite(_ file: Int32, _ bytes: UnsafeRawBufferPointer) -> Int {
    #if canImport(Darwin)
      Darwin.write(file, bytes.baseAddress, bytes.count)
    #else
      Glibc.write(file, bytes.baseAddress, bytes.count)
    #endif
  }
}
