import Journal
import SystemCalls

/// Names of files that are not complete yet. A process that dies leaves them, and may leave decrypted text in them.
enum Leftover {
  private static let prefix = ".pj-"
  private static let suffix = ".tmp"
  static let randomByteCount = 16

  /// A name that no other file has.
  static func name(_ random: [UInt8]) -> String { prefix + (KeyID(bytes: random)?.description ?? "") + suffix }

  /// Whether a name is one of these, which no program gives to another file by chance.
  static func matches(_ name: String) -> Bool {
    guard name.hasPrefix(prefix), name.hasSuffix(suffix) else { return false }
    let digits = name.utf8.dropFirst(prefix.utf8.count).dropLast(suffix.utf8.count)
    return digits.count == 2 * randomByteCount
      && digits.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) || (97...102).contains($0) }
  }
}

extension Protector {
  /// Makes a new file under a name of its own, and moves it to its path once it is durable.
  ///
  /// A wipe may run at the same time. It destroys the key, and then removes what it finds; this moves the file, and then looks
  /// for the keys. Whichever comes first, nothing stays: either the wipe finds the file, or this finds the key destroyed.
  ///
  /// - Parameters:
  ///   - path: Where it is in the end.
  ///   - isNew: Whether nothing was there before, so that the file goes again if its name cannot be made durable.
  ///   - source: The key that its contents came from.
  ///   - fill: Writes the file and syncs what it writes.
  ///   - moving: Moves it from its own name.
  /// - Returns: The file, open and locked.
  func newFile(
    at path: String, isNew: Bool, from source: KeyID? = nil,
    _ fill: (OpenFile) throws(ProtectionError) -> any FileContents,
    moving: (String) throws(ProtectionError) -> Void
  ) throws(ProtectionError) -> any FileContents {
    let (temporary, file) = try temporaryFile(beside: path)
    let contents: any FileContents
    do throws(ProtectionError) {
      contents = try fill(file)
      try atFile(path) { () throws(FileSystemError) in try fileSystem.sync(file) }
      try moving(temporary)
    } catch {
      fileSystem.close(file)
      try? fileSystem.remove(temporary)
      throw error.within(path)
    }
    var mustGo = isNew
    do throws(ProtectionError) {
      try atFile(path) { () throws(FileSystemError) in try fileSystem.syncDirectory(FileName.folder(of: path)) }
      mustGo = true
      for id in [source, contents.info.keyID] { if let id { try checkNotDestroyed(id) } }
      return contents
    } catch {
      if mustGo, (try? fileSystem.isNamed(file, path)) == true {
        try? fileSystem.remove(path)
        try? fileSystem.syncDirectory(FileName.folder(of: path))
      }
      fileSystem.close(file)
      throw error.within(path)
    }
  }

  /// Throws if a key is known to be destroyed. Keys that cannot be read now destroy nothing.
  func checkNotDestroyed(_ id: KeyID) throws(ProtectionError) {
    if (try? keys.key(id)) == .destroyed { throw OpenedHeader.destroyed(id) }
  }

  private func temporaryFile(beside path: String) throws(ProtectionError) -> (name: String, file: OpenFile) {
    while true {
      let random = randomBytes(Leftover.randomByteCount)
      guard random.count == Leftover.randomByteCount else { throw .encryptionFailed }
      let name = path.sibling(Leftover.name(random))
      let file = try atFile(path) { () throws(FileSystemError) in try fileSystem.open(name, .replace) }
      do throws(FileSystemError) {
        // Until it is locked, another process may take it for what a dead one left, and remove it.
        if try fileSystem.lock(file), try fileSystem.isNamed(file, name) { return (name, file) }
      } catch {
        fileSystem.close(file)
        try? fileSystem.remove(name)
        throw ProtectionError(error, file: path)
      }
      fileSystem.close(file)
    }
  }
}
