/// A journal's directory, as readers see it: names and whole small files.
struct JournalDirectory: Sendable {
  let path: String
  let fileSystem: any FileSystem

  func path(of name: String) -> String { path.hasSuffix("/") ? path + name : path + "/" + name }

  /// The names in the directory, sorted.
  func names() throws(JournalError) -> [String] {
    do {
      return try fileSystem.list(path).sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
    } catch {
      if error.code == OperatingSystem.noEntry || error.code == OperatingSystem.notADirectory {
        throw JournalError(
          .notAJournal, "there is no journal directory", remedy: "check the path", file: path, errorNumber: error.code)
      }
      throw JournalError.system(error, file: path)
    }
  }

  /// Opens a file for reading.
  func open(_ name: String) throws(JournalError) -> OpenFile {
    do {
      return try fileSystem.open(path(of: name), .read)
    } catch {
      throw JournalError.system(error, file: name)
    }
  }

  /// The length of an open file.
  func size(of file: OpenFile, _ name: String) throws(JournalError) -> UInt64 {
    do {
      return try fileSystem.size(of: file)
    } catch {
      throw JournalError.system(error, file: name)
    }
  }

  /// The first bytes of a file, at most `limit`, and its length; `nil` when the file does not exist.
  func read(_ name: String, limit: Int) throws(JournalError) -> (bytes: [UInt8], length: UInt64)? {
    let file: OpenFile
    do {
      file = try fileSystem.open(path(of: name), .read)
    } catch {
      if error.code == OperatingSystem.noEntry { return nil }
      throw JournalError.system(error, file: name)
    }
    defer { fileSystem.close(file) }
    let length = try size(of: file, name)
    return (try read(file, name, at: 0, count: Int(min(UInt64(limit), length))), length)
  }

  /// What a name refers to.
  enum Content {
    /// The first bytes of a file, and its length.
    case file([UInt8], length: UInt64)
    case missing
    /// Something other than a regular file, such as a directory or a pipe, and a sentence that describes it.
    case other(String)
  }

  /// Reads a file's first bytes, at most `limit`, if the file exists.
  func content(of name: String, limit: Int) throws(JournalError) -> Content {
    do throws(JournalError) {
      guard let (bytes, length) = try read(name, limit: limit) else { return .missing }
      return .file(bytes, length: length)
    } catch {
      guard error.isOfOtherKind else { throw error }
      return .other(OperatingSystem.describe(error.errorNumber ?? 0))
    }
  }

  /// Does the same for a file that no event needs: anything but a regular file under its name reads as empty, without
  /// blocking.
  func readSpare(_ name: String, limit: Int) throws(JournalError) -> (bytes: [UInt8], length: UInt64)? {
    switch try content(of: name, limit: limit) {
    case .file(let bytes, let length): (bytes, length)
    case .missing: nil
    case .other: ([], 0)
    }
  }

  /// Up to `count` bytes at `offset`; fewer when the file ends before.
  func read(_ file: OpenFile, _ name: String, at offset: UInt64, count: Int) throws(JournalError) -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: count)
    var done = 0
    while done < count {
      let result = bytes.withUnsafeMutableBytes { buffer in
        Result { () throws(FileSystemError) in
          try fileSystem.read(
            file, into: UnsafeMutableRawBufferPointer(rebasing: buffer[done...]), at: offset + UInt64(done))
        }
      }
      switch result {
      case .failure(let error): throw JournalError.system(error, file: name, offset: offset + UInt64(done))
      case .success(let got):
        if got <= 0 { return Array(bytes[..<done]) }
        done += min(got, count - done)
      }
    }
    return bytes
  }
}
