import Journal

/// What a process that died within ``Protector/protectFile(_:_:)`` or ``Protector/unprotectFile(_:)`` can leave beside a file.
enum Leftover: CaseIterable {
  case protecting
  /// Holds what was decrypted.
  case unprotecting

  var suffix: String {
    switch self {
    case .protecting: ".pj-protecting"
    case .unprotecting: ".pj-unprotecting"
    }
  }
}

extension Protector {
  /// Chunks that are copied at once, 2 MiB: enough for several threads.
  private static let pieceLength = 32 * Layout.chunk

  /// Protects a whole file in place: encrypts it, or writes its owner before it.
  ///
  /// A new file is written beside it, made durable, and moved over it: after a crash at any point, the path leads to the old
  /// file or to the new one. The new one has the permissions of the old one, and the time of this change; extended
  /// attributes stay behind, and so does the old content under other names of the file. Blocks of the device that held the
  /// plain text are given back to the system, which does not overwrite them.
  ///
  /// A file that is already protected in the same way for the same owner stays as it is.
  ///
  /// - Throws: ``ProtectionError/Code/inputOutput`` with `ELOOP` for a symbolic link, because the file that it leads to would
  ///   stay plain.
  public func protectFile(_ path: String, _ protection: Protection) throws(ProtectionError) {
    try protection.checkOwner()
    switch try form(of: path) {
    case .plain: try rewrite(path, to: path, protection)
    case .missing, .marked, .encrypted:
      let info = try info(path)
      let isSame =
        switch protection {
        case .encrypted(let owner): info.isEncrypted && info.owner == owner && usesOwnKey(info, owner)
        case .marked(let owner): !info.isEncrypted && info.owner == owner
        }
      if !isSame { try rewrite(path, to: path, protection) }
    }
  }

  /// Removes the protection of a whole file in place, as atomically as ``protectFile(_:_:)``. A plain file stays as it is.
  ///
  /// A process that dies within it leaves the decrypted text in a file beside it, whose name ends in `.pj-unprotecting`;
  /// the next call for the same path removes it, and so does ``OwnedFiles/removeLeftovers()``.
  public func unprotectFile(_ path: String) throws(ProtectionError) {
    if try form(of: path) != .plain { try rewrite(path, to: path, nil) }
  }

  /// Writes a copy of a file without protection (`decryptFile:toCopyPath:`), and leaves the file as it is. The copy appears
  /// under its name as a whole or not at all, and replaces what had that name.
  public func copyUnprotected(_ path: String, to copy: String) throws(ProtectionError) {
    try rewrite(path, to: copy, nil)
  }

  /// Writes a copy of a file with another protection, and leaves the file as it is. The copy appears under its name as a
  /// whole or not at all, and replaces what had that name.
  public func copy(_ path: String, to copy: String, _ protection: Protection) throws(ProtectionError) {
    try protection.checkOwner()
    try rewrite(path, to: copy, protection)
  }

  /// Whether a file is encrypted in this format. Reads its headers only, and needs no key.
  public func isEncrypted(_ path: String) throws(ProtectionError) -> Bool { try form(of: path) == .encrypted }

  /// What a file's header says (`protectionInfo`).
  ///
  /// - Throws: ``ProtectionError/Code/notProtected`` for a file without a header, ``ProtectionError/Code/empty`` for an empty
  ///   one. A file whose key is missing or destroyed has an info without an owner.
  public func info(_ path: String) throws(ProtectionError) -> ProtectionInfo {
    let copies = try copies(path)
    do throws(ProtectionError) {
      guard try isEncrypted(copies) else {
        return ProtectionInfo(isEncrypted: false, owner: try FileHeader.markedOwner(copies.first ?? []), keyID: nil)
      }
      do throws(ProtectionError) {
        let header = try OpenedHeader(copies, keys).header
        return ProtectionInfo(isEncrypted: true, owner: header.owner, keyID: header.keyID)
      } catch {
        guard error.code == .foreignKey || error.code == .destroyedKey else { throw error }
        let id = copies.lazy.compactMap { try? FileHeader.Beginning($0) }.first.flatMap { KeyID(bytes: $0.keyID) }
        return ProtectionInfo(isEncrypted: true, owner: nil, keyID: id)
      }
    } catch {
      throw error.within(path)
    }
  }

  // MARK: Forms

  /// What a path leads to.
  enum Form: Equatable {
    case missing
    case plain
    case marked
    case encrypted
  }

  func form(of path: String, isMissingAllowed: Bool = false) throws(ProtectionError) -> Form {
    do throws(ProtectionError) {
      return try isEncrypted(try copies(path)) ? .encrypted : .marked
    } catch {
      if isMissingAllowed, error.errorNumber == Platform.noEntry { return .missing }
      guard error.code == .notProtected || error.code == .empty else { throw error.within(path) }
      return .plain
    }
  }

  private func copies(_ path: String) throws(ProtectionError) -> [[UInt8]] {
    let file = try atFile(path) { () throws(FileSystemError) in try fileSystem.open(path, .read) }
    defer { fileSystem.close(file) }
    return try OpenedHeader.copies(file, path, fileSystem)
  }

  /// By the header that can be read; the first one, unless a crash damaged it.
  func isEncrypted(_ copies: [[UInt8]]) throws(ProtectionError) -> Bool {
    guard let first = copies.first, let second = copies.last else { throw FileHeader.Beginning.truncated }
    do throws(ProtectionError) {
      return try FileHeader.Beginning(first).isEncrypted
    } catch {
      if let beginning = try? FileHeader.Beginning(second), beginning.isEncrypted { return true }
      throw error
    }
  }

  /// Whether the file's key is the one that this app encrypts with for the owner now.
  private func usesOwnKey(_ info: ProtectionInfo, _ owner: String) -> Bool {
    guard let id = info.keyID, case .key(let key)? = try? keys.key(named: KeyName(scope: scope, account: owner)) else {
      return false
    }
    return key.id == id
  }

  // MARK: Rewriting

  /// Copies a file's contents into a new file, under the given protection or none, and moves that to `target`.
  private func rewrite(_ path: String, to target: String, _ protection: Protection?) throws(ProtectionError) {
    let isPlain = try form(of: path) == .plain
    // The lock of a writer: what it writes to a file that was replaced would be lost.
    let source = try isPlain ? plainContents(path) : contents(of: path, forWriting: path == target)
    defer { source.release() }
    if path == target { try checkNoLink(path) }
    let leftover = protection == nil ? Leftover.unprotecting : .protecting
    let contents = try replace(target, by: target + leftover.suffix) { (file) throws(ProtectionError) in
      let new: any FileContents
      if let protection {
        new = try newContents(of: target, file, protection)
      } else {
        new = PlainContents(path: target, file: file, fileSystem: fileSystem)
      }
      try copy(source, to: new)
      let original = try atFile(path) { () throws(FileSystemError) in try fileSystem.open(path, .read) }
      defer { fileSystem.close(original) }
      try atFile(path) { () throws(FileSystemError) in try fileSystem.copyMode(of: original, to: file) }
      return new
    }
    contents.release()
  }

  private func copy(_ source: any FileContents, to target: any FileContents) throws(ProtectionError) {
    let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: Self.pieceLength, alignment: 64)
    defer { buffer.deallocate() }
    var place: UInt64 = 0
    while true {
      let count = try source.read(into: buffer, at: place)
      guard count > 0 else { break }
      try target.write(UnsafeRawBufferPointer(rebasing: buffer[..<count]), at: place)
      place += UInt64(count)
    }
    try target.sync()
  }

  /// Makes a new file under a temporary name, and moves it to its path once it is durable.
  func replace(
    _ path: String, by temporary: String, _ make: (OpenFile) throws(ProtectionError) -> any FileContents
  ) throws(ProtectionError) -> any FileContents {
    let file = try atFile(temporary) { () throws(FileSystemError) in
      for leftover in Leftover.allCases { try fileSystem.removeIfPresent(path + leftover.suffix) }
      return try fileSystem.open(temporary, .replace)
    }
    do throws(ProtectionError) {
      let contents = try make(file)
      try atFile(path) { () throws(FileSystemError) in
        try fileSystem.sync(file)
        try fileSystem.rename(temporary, to: path)
        try fileSystem.syncDirectory(path.folder)
      }
      return contents
    } catch {
      fileSystem.close(file)
      // Already moved if the directory could not be synced. What remains is removed by the next call.
      try? fileSystem.remove(temporary)
      throw error.within(path)
    }
  }

  private func plainContents(_ path: String) throws(ProtectionError) -> PlainContents {
    PlainContents(
      path: path, file: try atFile(path) { () throws(FileSystemError) in try fileSystem.open(path, .read) },
      fileSystem: fileSystem)
  }

  /// A mode that creates files does not follow links; the file is known to exist.
  private func checkNoLink(_ path: String) throws(ProtectionError) {
    let file = try atFile(path) { () throws(FileSystemError) in try fileSystem.open(path, .createOrUpdate) }
    fileSystem.close(file)
  }
}
