import Journal
import SystemCalls

extension Protector {
  /// Chunks that are copied at once, 2 MiB: enough for several threads.
  private static let pieceLength = 32 * Layout.chunk
  /// How often a file is read again that another process changes meanwhile.
  private static let maximumTries = 16

  /// Protects a whole file in place: encrypts it, or writes its owner before it.
  ///
  /// A new file is written beside it, made durable, and moved over it: after a crash at any point, the path leads to the old
  /// file or to the new one. The new one has the permissions of the old one, and the time of this change; extended
  /// attributes stay behind, and so does the old content under other names of the file. Blocks of the device that held the
  /// plain text are given back to the system, which does not overwrite them.
  ///
  /// A file that is already protected in the same way for the same owner stays as it is.
  ///
  /// - Parameters:
  ///   - path: The path.
  ///   - protection: What it is to be.
  ///   - isAllowed: Whether the file may be changed, given what it is now. Asked while no other program can change it.
  /// - Throws: ``ProtectionError/Code/inputOutput`` with `ELOOP` for a symbolic link, because the file that it leads to would
  ///   stay plain; ``ProtectionError/Code/otherOwner`` if it is not allowed; ``ProtectionError/Code/locked`` if it is open
  ///   for writing, or another program is protecting it.
  public func protectFile(
    _ path: String, _ protection: Protection, ifOwned isAllowed: (ProtectionInfo) -> Bool = { _ in true }
  ) throws(ProtectionError) {
    try protection.checkOwner()
    let info = try formedInfo(path)
    if isAllowed(info), try hasProtection(info, protection) { return try keepName(of: path) }
    try rewrite(path, protection, ifOwned: isAllowed)
  }

  /// Removes the protection of a whole file in place, as atomically as ``protectFile(_:_:ifOwned:)``. A plain file stays as
  /// it is.
  ///
  /// A process that dies within it leaves the decrypted text in a file beside it, which ``OwnedFiles/removeLeftovers()``
  /// removes.
  ///
  /// - Parameters:
  ///   - path: The file.
  ///   - required: Pass `encrypted` for a file that was encrypted once.
  ///   - isAllowed: Whether the file may be changed, given what it is now. Asked while no other program can change it.
  public func unprotectFile(
    _ path: String, requiring required: RequiredProtection = .any,
    ifOwned isAllowed: (ProtectionInfo) -> Bool = { _ in true }
  ) throws(ProtectionError) {
    if required == .any, try form(of: path) == .plain { return try keepName(of: path) }
    try rewrite(path, nil, requiring: required, ifOwned: isAllowed)
  }

  /// Writes a copy of a file without protection (`decryptFile:toCopyPath:`), and leaves the file as it is. The copy appears
  /// under its name as a whole or not at all, readable by its owner only, and replaces what had that name, unless that is a link
  /// or open for writing.
  ///
  /// - Parameters:
  ///   - path: The file.
  ///   - copy: The copy's path.
  ///   - required: Pass `encrypted` for a file that was encrypted once.
  ///   - isAllowed: Whether the file may be copied, given what it is. Asked about the file that is then read.
  public func copyUnprotected(
    _ path: String, to copy: String, requiring required: RequiredProtection = .any,
    ifOwned isAllowed: (ProtectionInfo) -> Bool = { _ in true }
  ) throws(ProtectionError) {
    try write(path, to: copy, nil, requiring: required, isAllowed)
  }

  /// Writes a copy of a file with another protection, and leaves the file as it is. The copy appears under its name as a
  /// whole or not at all, readable by its owner only, and replaces what had that name, unless that is a link or open for writing.
  ///
  /// - Parameters:
  ///   - path: The file.
  ///   - copy: The copy's path.
  ///   - protection: The copy's protection.
  ///   - required: Pass `encrypted` for a file that was encrypted once: a forged one would become authentic.
  ///   - isAllowed: Whether the file may be copied, given what it is. Asked about the file that is then read.
  public func copy(
    _ path: String, to copy: String, _ protection: Protection, requiring required: RequiredProtection = .any,
    ifOwned isAllowed: (ProtectionInfo) -> Bool = { _ in true }
  ) throws(ProtectionError) {
    try protection.checkOwner()
    try write(path, to: copy, protection, requiring: required, isAllowed)
  }

  /// Gives a path new contents. After a crash at any point, it leads to the old ones or to the new ones, which are durable once
  /// this returns.
  ///
  /// - Parameters:
  ///   - bytes: The contents.
  ///   - path: The path. A file that has it is replaced, unless that is a link or open for writing.
  ///   - protection: How they are protected; `nil` for a plain file.
  public func write(_ bytes: [UInt8], to path: String, _ protection: Protection?) throws(ProtectionError) {
    try protection?.checkOwner()
    let contents = try newFile(at: path, isNew: false) { (file) throws(ProtectionError) in
      let new = try newContents(of: path, file, protection)
      try bytes.withUnsafeBufferPointer { (bytes) throws(ProtectionError) in
        try new.write(UnsafeRawBufferPointer(bytes), at: 0)
      }
      try new.sync()
      return new
    } moving: { (temporary) throws(ProtectionError) in
      try move(temporary, over: path)
    }
    contents.release()
  }

  /// The contents of a file, protected or not.
  ///
  /// - Parameters:
  ///   - path: The file.
  ///   - limit: The most bytes that are taken into memory. A file may say that it is longer than any memory.
  ///   - required: Pass `encrypted` for a file that was encrypted once.
  ///   - isAllowed: Whether the file may be read, given what it is. Asked about the file that is then read.
  /// - Throws: ``ProtectionError/Code/tooLarge`` for a file with more bytes than `limit`, and
  ///   ``ProtectionError/Code/notEncrypted`` for one that is not encrypted where that is required.
  public func contents(
    of path: String, atMost limit: Int = 1 << 30, requiring required: RequiredProtection = .any,
    ifOwned isAllowed: (ProtectionInfo) -> Bool = { _ in true }
  ) throws(ProtectionError) -> [UInt8] {
    try reading(path, requiring: required) { (source) throws(ProtectionError) in
      guard isAllowed(source.info) else { throw Self.otherOwner(path) }
      guard source.size <= UInt64(clamping: limit) else {
        throw ProtectionError(
          .tooLarge, "it has \(source.size) bytes, and no more than \(limit) are taken into memory at once",
          remedy: "Open the file, and read one part after the other", file: path)
      }
      return try Self.bytes(of: source)
    }
  }

  /// Passes a file's contents to `body`, all of one sync: if another process syncs the file and uses its pages again, `body` is
  /// called once more. Files that are not encrypted have no syncs.
  private func reading<Value>(
    _ path: String, requiring required: RequiredProtection,
    _ body: (any FileContents) throws(ProtectionError) -> Value
  ) throws(ProtectionError) -> Value {
    var tries = 0
    while true {
      let source = try contents(of: try openForReading(path), path, isWritable: false, mayBePlain: true)
      defer { source.release() }
      do throws(ProtectionError) { try required.check(source.info) } catch { throw error.within(path) }
      let sealed = source as? SealedContents
      sealed?.staysWithSync = true
      do throws(ProtectionError) { return try body(source) } catch {
        tries += 1
        guard sealed?.wasOutrun == true else { throw error }
        guard tries < Self.maximumTries else {
          throw ProtectionError(
            .locked, "it is changed again and again while it is read", remedy: "Close it elsewhere, and try again",
            file: path)
        }
      }
    }
  }

  private static func bytes(of source: any FileContents) throws(ProtectionError) -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: Int(clamping: source.size))
    let count = try bytes.withUnsafeMutableBufferPointer { (bytes) throws(ProtectionError) -> Int in
      var count = 0
      while count < bytes.count {
        let rest = UnsafeMutableRawBufferPointer(rebasing: UnsafeMutableRawBufferPointer(bytes)[count...])
        let read = try source.read(into: rest, at: UInt64(count))
        guard read > 0 else { break }
        count += read
      }
      return count
    }
    bytes.removeLast(bytes.count - count)
    return bytes
  }

  static func otherOwner(_ path: String) -> ProtectionError {
    ProtectionError(
      .otherOwner, "another account owns the file",
      remedy: "Use protect to change its owner, or look at the file again",
      file: path)
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
    case plain
    case marked
    case encrypted
  }

  private func form(of path: String) throws(ProtectionError) -> Form {
    do throws(ProtectionError) { return try form(of: try copies(path)) } catch { throw error.within(path) }
  }

  func form(of copies: [[UInt8]]) throws(ProtectionError) -> Form {
    do throws(ProtectionError) {
      return try isEncrypted(copies) ? .encrypted : .marked
    } catch {
      guard error.code == .notProtected || error.code == .empty else { throw error }
      return .plain
    }
  }

  /// What a file's header says; nothing, for a file without one.
  private func formedInfo(_ path: String) throws(ProtectionError) -> ProtectionInfo {
    do throws(ProtectionError) { return try info(path) } catch {
      guard error.code == .notProtected || error.code == .empty else { throw error }
      return .plain
    }
  }

  private func copies(_ path: String) throws(ProtectionError) -> [[UInt8]] {
    let file = try openForReading(path)
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

  private func hasProtection(_ info: ProtectionInfo, _ protection: Protection) throws(ProtectionError) -> Bool {
    switch protection {
    case .marked(let owner): return !info.isEncrypted && info.owner == owner
    case .encrypted(let owner, let account):
      guard info.isEncrypted, info.owner == owner, let id = info.keyID else { return false }
      // The key that this app encrypts with for the account now.
      return try sealingKey(of: account ?? KeyAccount(owner)).id == id
    }
  }

  /// The process that gave the file this form may have died before its name was durable.
  private func keepName(of path: String) throws(ProtectionError) {
    try atFile(path) { () throws(FileSystemError) in try fileSystem.syncDirectory(FileName.folder(of: path)) }
  }

  // MARK: Rewriting

  /// Removes a file that only names its owner, durably; any other file stays, and a missing one is none.
  package func removeMarked(_ path: String) throws(ProtectionError) {
    do throws(ProtectionError) {
      let file = try openLocked(path)
      defer { fileSystem.close(file) }
      guard try form(of: try OpenedHeader.copies(file, path, fileSystem)) == .marked else { return }
      try atFile(path) { () throws(FileSystemError) in
        try fileSystem.remove(path)
        try fileSystem.syncDirectory(FileName.folder(of: path))
      }
    } catch {
      guard error.errorNumber == FileCalls.noEntry else { throw error }
    }
  }

  /// Replaces a file by one with the same contents and the given protection or none.
  private func rewrite(
    _ path: String, _ protection: Protection?, requiring required: RequiredProtection = .any,
    ifOwned isAllowed: (ProtectionInfo) -> Bool
  ) throws(ProtectionError) {
    // The lock of a writer: what it writes to a file that was replaced would be lost.
    let source = try contents(of: try openLocked(path), path, isWritable: true, mayBePlain: true)
    defer { source.release() }
    do throws(ProtectionError) { try required.check(source.info) } catch { throw error.within(path) }
    try write(source, path, to: path, protection, isAllowed) { (temporary) throws(ProtectionError) in
      try atFile(path) { () throws(FileSystemError) in try fileSystem.rename(temporary, to: path) }
    }
  }

  /// Copies a file's contents to another path.
  private func write(
    _ path: String, to target: String, _ protection: Protection?, requiring required: RequiredProtection,
    _ isAllowed: (ProtectionInfo) -> Bool
  ) throws(ProtectionError) {
    if path == target { return try rewrite(path, protection, requiring: required, ifOwned: isAllowed) }
    try reading(path, requiring: required) { (source) throws(ProtectionError) in
      try write(source, path, to: target, protection, isAllowed) { (temporary) throws(ProtectionError) in
        try move(temporary, over: target)
      }
    }
  }

  private func write(
    _ source: any FileContents, _ path: String, to target: String, _ protection: Protection?,
    _ isAllowed: (ProtectionInfo) -> Bool, moving: (String) throws(ProtectionError) -> Void
  ) throws(ProtectionError) {
    guard isAllowed(source.info) else { throw Self.otherOwner(path) }
    let contents = try newFile(at: target, isNew: false, from: source.info.keyID) { (file) throws(ProtectionError) in
      let new = try newContents(of: target, file, protection)
      try copy(source, to: new)
      // A copy is its owner's alone: what another app lets everyone read or write may be an account's here.
      if path == target {
        try atFile(target) { () throws(FileSystemError) in try fileSystem.copyMode(of: source.file, to: file) }
      }
      return new
    } moving: { (temporary) throws(ProtectionError) in
      try moving(temporary)
    }
    contents.release()
  }

  /// Moves a new file to a name, over a file that no program is writing.
  private func move(_ temporary: String, over path: String) throws(ProtectionError) {
    while true {
      do throws(FileSystemError) {
        return try fileSystem.rename(temporary, toFreeName: path)
      } catch {
        guard error.code == FileCalls.exists else { throw ProtectionError(error, file: path) }
      }
      do throws(ProtectionError) {
        let old = try openLocked(path)
        defer { fileSystem.close(old) }
        return try atFile(path) { () throws(FileSystemError) in try fileSystem.rename(temporary, to: path) }
      } catch {
        // Removed meanwhile: the name is free again.
        guard error.errorNumber == FileCalls.noEntry else { throw error }
      }
    }
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
}

extension ProtectionInfo {
  /// That of a file without a header.
  public static let plain = ProtectionInfo(isEncrypted: false, owner: nil, keyID: nil)
}
