#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// Calls that change names, and that list them.
extension SystemCalls {
  /// - Parameter call: The system's, except in tests.
  package static func rename(
    _ from: String, _ to: String, by call: (String, String) -> Int32 = systemRename
  ) -> Int32 {
    movingOnce { call(from, to) }
  }

  /// Gives a file a second name, which must be free.
  package static func link(_ from: String, _ to: String) -> Int32 {
    uninterrupted {
      FileName.withPath(from) { from in
        FileName.withPath(to) { to in
          #if canImport(Darwin)
            Darwin.link(from, to)
          #else
            Glibc.link(from, to)
          #endif
        }
      }
    }.error
  }

  /// Removes a file's name or an empty folder.
  ///
  /// - Parameter call: The system's, except in tests.
  package static func remove(_ path: String, by call: (String) -> Int32 = systemRemove) -> Int32 {
    movingOnce { call(path) }
  }

  /// Removes the name of a file, and never a folder.
  package static func removeFile(_ path: String) -> Int32 {
    movingOnce { FileName.withPath(path) { unlink($0) } }
  }

  /// Removes the name of a file within an open folder.
  package static func removeFile(_ name: String, in folder: Int32) -> Int32 {
    movingOnce { FileName.withPath(name) { unlinkat(folder, $0, 0) } }
  }

  /// Makes a folder for its owner only, where nothing is yet, not even a link.
  package static func createFolder(_ path: String) -> Int32 {
    uninterrupted { FileName.withPath(path) { mkdir($0, 0o700) } }.error
  }

  /// The names in a folder, in the system's order: at most `limit` of them, and one more where there are more. With an
  /// error, those that were read before it.
  package static func names(
    in path: String, limit: Int = .max, skipsHidden: Bool = false
  ) -> (names: [String], error: Int32) {
    let (folder, error) = open(path, .folder)
    return error == 0 ? names(closing: folder, limit, skipsHidden) : ([], error)
  }

  /// The same for an open folder, which stays open.
  package static func names(
    in folder: Int32, limit: Int = .max, skipsHidden: Bool = false
  ) -> (names: [String], error: Int32) {
    // Its own place in the folder, which a duplicate would share.
    let (copy, error) = uninterrupted { openat(folder, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC) }
    return error == 0 ? names(closing: copy, limit, skipsHidden) : ([], error)
  }

  private static func names(
    closing file: Int32, _ limit: Int, _ skipsHidden: Bool
  ) -> (names: [String], error: Int32) {
    var stream = fdopendir(file)
    while stream == nil, errno == EINTR { stream = fdopendir(file) }
    guard let folder = stream else {
      let error = errno
      close(file)
      return ([], error)
    }
    defer { closedir(folder) }
    var names: [String] = []
    while names.count <= limit {
      errno = 0
      guard let entry = readdir(folder) else {
        if errno == EINTR { continue }
        return (names, errno)
      }
      // In place: the record ends after the name, and so may the memory.
      let name = withUnsafeBytes(of: &entry.pointee.d_name) { bytes in FileName.text(bytes.prefix { $0 != 0 }) }
      let isWanted = skipsHidden ? !name.hasPrefix(".") : name != "." && name != ".."
      if isWanted { names.append(name) }
    }
    return (names, 0)
  }

  /// Repeats an interrupted call that removes a name. The interrupted call may have succeeded: the repetition then
  /// finds nothing to remove.
  private static func movingOnce(_ call: () -> Int32) -> Int32 {
    var calls = 0
    let error = uninterrupted {
      calls += 1
      return call()
    }.error
    return error == ENOENT && calls > 1 ? 0 : error
  }

  /// The system's own call.
  package static func systemRename(_ from: String, _ to: String) -> Int32 {
    #if canImport(Darwin)
      FileName.withPath(from) { from in FileName.withPath(to) { Darwin.rename(from, $0) } }
    #else
      FileName.withPath(from) { from in FileName.withPath(to) { Glibc.rename(from, $0) } }
    #endif
  }

  /// The system's own call.
  package static func systemRemove(_ path: String) -> Int32 {
    #if canImport(Darwin)
      FileName.withPath(path) { Darwin.remove($0) }
    #else
      FileName.withPath(path) { Glibc.remove($0) }
    #endif
  }
}
