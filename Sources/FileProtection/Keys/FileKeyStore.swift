import Cryptography
import Journal
import Synchronization
import SystemCalls

/// Keys in one file, each wrapped by a key that the app supplies.
///
/// ```swift
/// let keys = try FileKeyStore(
///   at: "keys", create: true, wrappingKeys: keychain, randomBytes: { SystemRandom.bytes($0) })
/// ```
///
/// The file is readable by its owner only (mode 0600), and replaced as a whole: a process that dies leaves the old file or the
/// new one. Apps that share the file and the wrapping key share its keys; a lock beside it orders their changes. It holds
/// neither names nor accounts in plain text. <doc:KeyStores> describes every byte.
public final class FileKeyStore: KeyStore {
  private let file: KeyFile
  private let wrappingKeys: WrappingKeys
  private let randomBytes: @Sendable (Int) -> [UInt8]
  private let known = Mutex<Known?>(nil)
  /// A replaced file may not be durable, and syncing once more would prove nothing.
  private let isDoubtful = Atomic(false)

  /// What the file held when it was last read.
  private struct Known {
    var table: KeyTable
    /// The file's header and its authentication code, by which a process notices that another one replaced it.
    var stamp: [UInt8]
    var wrapping: SecretKey
    /// Whether this process knows that the file lasts. Another one may have died before its last sync.
    var isDurable: Bool
  }

  /// Opens a key file whose wrapping key stays the same. A copy of the file that is older than a destroyed key opens with it, and
  /// has the key.
  ///
  /// - Parameters:
  ///   - path: The file, not a link to it. Two more names beside it are used, with `.new` and `.lock` added.
  ///   - create: Whether to begin an empty one if the file is missing. Pass `true` only where no key can exist yet: an app
  ///     that begins again after its key file was lost would take every person for erased.
  ///   - wrappingKey: Returns the key that wraps the others, from a keychain or from hardware. Throws if it cannot be read
  ///     now. Asked at every call: what was read under one wrapping key is not used with another one, or without.
  ///   - randomBytes: Returns as many bytes as asked for, that only a secure random generator can predict.
  ///   - fileSystem: The file system; the system's own outside of tests.
  public convenience init(
    at path: String, create: Bool, wrappingKey: @escaping @Sendable () throws(KeyStoreError) -> SecretKey,
    randomBytes: @escaping @Sendable (Int) -> [UInt8], fileSystem: any FileSystem = PosixFileSystem()
  ) throws(KeyStoreError) {
    try self.init(path, create, .constant(wrappingKey), randomBytes, fileSystem)
  }

  /// Opens a key file whose wrapping key changes with every key that is destroyed: no older copy of the file opens any more.
  ///
  /// - Parameters:
  ///   - path: The file, not a link to it. Two more names beside it are used, with `.new` and `.lock` added.
  ///   - create: Whether to begin an empty one if the file is missing. Pass `true` only where no key can exist yet: an app
  ///     that begins again after its key file was lost would take every person for erased.
  ///   - wrappingKeys: Keeps the key that wraps the others, in a keychain or in hardware. It may be one that wrapped the
  ///     file before it changed.
  ///   - randomBytes: Returns as many bytes as asked for, that only a secure random generator can predict.
  ///   - fileSystem: The file system; the system's own outside of tests.
  public convenience init(
    at path: String, create: Bool, wrappingKeys: any WrappingKeyStore,
    randomBytes: @escaping @Sendable (Int) -> [UInt8], fileSystem: any FileSystem = PosixFileSystem()
  ) throws(KeyStoreError) {
    try self.init(path, create, .changing(wrappingKeys), randomBytes, fileSystem)
  }

  private init(
    _ path: String, _ create: Bool, _ wrappingKeys: WrappingKeys, _ randomBytes: @escaping @Sendable (Int) -> [UInt8],
    _ fileSystem: any FileSystem
  ) throws(KeyStoreError) {
    file = KeyFile(path, fileSystem)
    self.wrappingKeys = wrappingKeys
    self.randomBytes = randomBytes
    do throws(KeyStoreError) {
      _ = try current()
    } catch {
      guard create, error.code == .missing else { throw error }
      try file.locked { () throws(KeyStoreError) in
        do throws(KeyStoreError) {
          _ = try current()
        } catch {
          guard error.code == .missing else { throw error }
          guard let nameKey = SecretKey(drawnFrom: randomBytes),
            let wrapping = try wrappingKeys.current().first
          else { throw .library }
          try replace(with: KeyTable(nameKey: nameKey.secret), wrapping)
        }
      }
    }
  }

  public func key(named name: KeyName) throws(KeyStoreError) -> KeyEntry? {
    try records(named: name).entry
  }

  public func key(_ id: KeyID) throws(KeyStoreError) -> KeyEntry? {
    try current().table.records.filter { $0.ids.contains(id) }.entry
  }

  public func keyIDs(named name: KeyName) throws(KeyStoreError) -> Set<KeyID> {
    Set(try records(named: name).flatMap(\.ids))
  }

  public func makeKey(named name: KeyName, epoch: UInt64) throws(KeyStoreError) -> KeyEntry {
    try changing(name) { (table, code) throws(KeyStoreError) in
      let epoch = min(epoch, KeyTable.maximumEpoch)
      let records = table.records(of: code)
      // Before what was destroyed is asked: epochs whose count was reset may lie before it.
      if let inUse = records.inUse, inUse.epoch == epoch, let key = inUse.key { return .key(key) }
      if records.contains(where: { $0.isOver(in: epoch) }) { return .destroyed }
      if records.inUse != nil { table.destroyKey(of: code, until: epoch) }
      return .key(try newKey(code, epoch, in: &table))
    }
  }

  public func resetEpoch(of name: KeyName, to epoch: UInt64, makesKey: Bool) throws(KeyStoreError) {
    let epoch = min(epoch, KeyTable.maximumEpoch)
    // Hardly ever is there anything to do, and reading takes no lock.
    guard try records(named: name).isAhead(of: epoch, makesKey: makesKey) else { return }
    try changing(name) { (table, code) throws(KeyStoreError) in
      guard table.records(of: code).isAhead(of: epoch, makesKey: makesKey) else { return }
      if !table.setEpoch(of: code, to: epoch) { _ = try newKey(code, epoch, in: &table) }
    }
  }

  private func newKey(
    _ nameCode: [UInt8], _ epoch: UInt64, in table: inout KeyTable
  ) throws(KeyStoreError) -> SecretKey {
    guard table.count < KeyTable.maximumKeyCount else {
      throw KeyStoreError(
        .unavailable, "the key file \(file.path) has room for 65,536 keys",
        remedy: "Begin another key file for new journals")
    }
    guard let key = SecretKey(drawnFrom: randomBytes), let id = key.id else { throw .library }
    table.add(key, id, of: nameCode, epoch: epoch)
    return key
  }

  public func destroyKey(named name: KeyName, until epoch: UInt64?) throws(KeyStoreError) {
    try changing(name, mustFinish: true) { (table, code) in
      table.destroyKey(of: code, until: epoch.map { min(max($0, 1), KeyTable.maximumEpoch) } ?? 0)
    }
  }

  /// Forgets what was read, as when the device is locked: the next call reads the file again.
  public func forgetKeys() { known.withLock { $0 = nil } }

  private func records(named name: KeyName) throws(KeyStoreError) -> [KeyTable.Record] {
    let table = try current().table
    guard let code = table.code(of: name) else { throw .library }
    return table.records(of: code)
  }

  // MARK: Changing

  /// Changes the records of a name, and returns once the file lasts, whether this call changed it or an earlier one.
  ///
  /// - Parameter mustFinish: Whether nothing may be left that opens an old copy of the file, or whether that is reported.
  private func changing<Value>(
    _ name: KeyName, mustFinish: Bool = false, _ body: (inout KeyTable, [UInt8]) throws(KeyStoreError) -> Value
  ) throws(KeyStoreError) -> Value {
    try file.locked { () throws(KeyStoreError) in
      var known = try finishingChange(try current(), isChanging: false)
      var table = known.table
      guard let code = table.code(of: name) else { throw .library }
      let value = try body(&table, code)
      let changesWrapping = table.destroyedCount > known.table.destroyedCount ? wrappingKeys.store : nil
      if changesWrapping != nil { known = try finishingChange(known, isChanging: true) }
      if table != known.table || isDoubtful.load(ordering: .relaxed) {
        table.generation = known.table.generation &+ 1
        if let changesWrapping {
          try replace(with: table, try prepare(changesWrapping, known.wrapping))
          try commit(changesWrapping)
        } else {
          try replace(with: table, known.wrapping)
        }
      } else if !known.isDurable {
        try file.sync()
        self.known.withLock { if $0?.stamp == known.stamp { $0?.isDurable = true } }
      }
      // What a changed wrapping key leaves opens no more, and a name that never had a key leaves nothing.
      if mustFinish, wrappingKeys.store == nil, table.records(of: code).contains(where: \.hasDestroyedKey),
        let failure = file.takeFailure()
      {
        throw KeyStoreError(
          .copyRemains,
          "the key is destroyed in the key file \(file.path), durably; but an old copy could not be overwritten (\(failure)), and who has "
            + "the wrapping key may find the key in what the device keeps of it",
          remedy: "Check the device, and let FileKeyStore change the wrapping key (wrappingKeys)")
      }
      return value
    }
  }

  // MARK: The wrapping key

  /// Ends a change of the wrapping key that a crash or a failure cut short. Only then are there two.
  ///
  /// - Parameter isChanging: Whether the key is to be changed now.
  /// - Returns: What the file holds now.
  private func finishingChange(_ known: Known, isChanging: Bool) throws(KeyStoreError) -> Known {
    guard let store = wrappingKeys.store else { return known }
    let keys = try wrappingKeys.current()
    let isCutShort = keys.count > 1
    let isUnderSecond = isCutShort && keys.last == known.wrapping
    guard isUnderSecond || isChanging && (isCutShort || isDoubtful.load(ordering: .relaxed)) else { return known }
    // Written again: which of two files lasts is unknown, and no sync of what another process wrote would prove it.
    var table = known.table
    table.generation &+= 1
    try replace(with: table, known.wrapping)
    if isUnderSecond { try commit(store) }
    return self.known.withLock { $0 } ?? known
  }

  /// A second wrapping key, which the app's store keeps.
  private func prepare(_ store: any WrappingKeyStore, _ old: SecretKey) throws(KeyStoreError) -> SecretKey {
    let new = try store.prepareWrappingKey()
    // A file under a key that nothing keeps would be lost.
    guard new != old, try store.wrappingKeys() == [old, new] else {
      throw KeyStoreError(
        .unavailable, "the app's store does not keep a second wrapping key beside the first; no key was destroyed",
        remedy: "Let prepareWrappingKey() store a new key, and wrappingKeys() return the old and the new one")
    }
    return new
  }

  /// Deletes the first wrapping key, once the file lasts under the second one.
  private func commit(_ store: any WrappingKeyStore) throws(KeyStoreError) {
    do throws(KeyStoreError) {
      try store.commitWrappingKey()
    } catch {
      throw KeyStoreError(
        error.code,
        "the key is destroyed in the key file \(file.path), durably; but old copies of the file still open, because the first wrapping key "
          + "was not deleted: \(error.message)", remedy: "\(error.remedy); then destroy the key again")
    }
    guard try store.wrappingKeys().count == 1 else {
      throw KeyStoreError(
        .unavailable,
        "the app's store keeps the first wrapping key, with which old copies of the key file \(file.path) open",
        remedy: "Let commitWrappingKey() delete it; then destroy the key again")
    }
    // What could not be overwritten opens no more.
    _ = file.takeFailure()
  }

  // MARK: The file

  /// What the file holds now.
  private func current() throws(KeyStoreError) -> Known {
    var failed: (stamp: [UInt8], keys: [SecretKey])?
    while true {
      let keys = try wrappingKeys.current()
      var stamp: [UInt8] = []
      do throws(KeyStoreError) {
        return try current(keys, &stamp)
      } catch {
        // Another process may have replaced the file since it was opened, and overwritten the old one; or since the keys were
        // read, and changed them.
        guard error.code == .damaged, stamp != failed?.stamp || keys != failed?.keys else { throw error }
        failed = (stamp, keys)
      }
    }
  }

  private func current(_ keys: [SecretKey], _ stamp: inout [UInt8]) throws(KeyStoreError) -> Known {
    let open = try file.open()
    defer { file.close(open) }
    let size = try file.size(of: open)
    guard size <= UInt64(KeyTable.maximumByteCount) else {
      throw KeyStoreError(.damaged, "the key file \(file.path) has \(size) bytes", remedy: "Check the path")
    }
    let end = max(Int(size), HMACSHA256.byteCount)
    stamp = try file.read(open, 0..<KeyTable.headerByteCount) + file.read(open, (end - HMACSHA256.byteCount)..<end)
    if let known = known.withLock({ $0 }), known.stamp == stamp, keys.contains(known.wrapping) { return known }
    let bytes = try file.read(open, 0..<Int(size))
    let (table, wrapping) = try KeyTable.read(bytes, of: file.path, keys)
    let known = Known(table: table, stamp: Self.stamp(bytes), wrapping: wrapping, isDurable: false)
    self.known.withLock { $0 = known }
    return known
  }

  private static func stamp(_ bytes: [UInt8]) -> [UInt8] {
    Array(bytes.prefix(KeyTable.headerByteCount) + bytes.suffix(HMACSHA256.byteCount))
  }

  private func replace(with table: KeyTable, _ wrapping: SecretKey) throws(KeyStoreError) {
    let bytes = try table.encoded(wrapping, for: file.path, randomBytes: randomBytes)
    isDoubtful.store(true, ordering: .relaxed)
    try file.replace(by: bytes)
    isDoubtful.store(false, ordering: .relaxed)
    known.withLock { $0 = Known(table: table, stamp: Self.stamp(bytes), wrapping: wrapping, isDurable: true) }
  }
}
