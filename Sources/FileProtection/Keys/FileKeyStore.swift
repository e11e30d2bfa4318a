import Cryptography
import Journal
import Synchronization
import SystemCalls

/// Keys in one file, each wrapped by a key that the app supplies.
///
/// ```swift
/// let keys = try FileKeyStore(
///   at: "keys", create: true, wrappingKey: { try keychainKey() }, randomBytes: { SystemRandom.bytes($0) })
/// ```
///
/// The file is readable by its owner only (mode 0600), and replaced as a whole: a process that dies leaves the old file or the
/// new one. Apps that share the file and the wrapping key share its keys; a lock beside it orders their changes. It holds
/// neither names nor accounts in plain text. <doc:KeyStores> describes every byte.
public final class FileKeyStore: KeyStore {
  private let path: String
  private let wrappingKey: @Sendable () throws(KeyStoreError) -> SecretKey
  private let randomBytes: @Sendable (Int) -> [UInt8]
  private let fileSystem: any FileSystem
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

  /// How often the lock is tried, a millisecond apart.
  private static let maximumTries = 5_000

  /// Opens a key file.
  ///
  /// - Parameters:
  ///   - path: The file. Two more names beside it are used, with `.new` and `.lock` added.
  ///   - create: Whether to begin an empty one if the file is missing. Pass `true` only where no key can exist yet: an app
  ///     that begins again after its key file was lost would take every person for erased.
  ///   - wrappingKey: Returns the key that wraps the others, from a keychain or from hardware. Throws if it cannot be read
  ///     now. Asked at every call: what was read under one wrapping key is not used with another one, or without.
  ///   - randomBytes: Returns as many bytes as asked for, that only a secure random generator can predict.
  ///   - fileSystem: The file system; the system's own outside of tests.
  public init(
    at path: String, create: Bool, wrappingKey: @escaping @Sendable () throws(KeyStoreError) -> SecretKey,
    randomBytes: @escaping @Sendable (Int) -> [UInt8], fileSystem: any FileSystem = PosixFileSystem()
  ) throws(KeyStoreError) {
    self.path = path
    self.wrappingKey = wrappingKey
    self.randomBytes = randomBytes
    self.fileSystem = fileSystem
    do throws(KeyStoreError) {
      _ = try current()
    } catch {
      guard create, error.code == .missing else { throw error }
      try locked { () throws(KeyStoreError) in
        do throws(KeyStoreError) {
          _ = try current()
        } catch {
          guard error.code == .missing else { throw error }
          let salt = randomBytes(16)
          guard salt.count == 16 else { throw .library }
          try replace(with: KeyTable(salt: salt), try wrappingKey())
        }
      }
    }
  }

  public func key(named name: KeyName) throws(KeyStoreError) -> KeyEntry? {
    try records(named: name).entry
  }

  public func key(_ id: KeyID) throws(KeyStoreError) -> KeyEntry? {
    try current().table.records.filter { $0.id == id }.entry
  }

  public func keyIDs(named name: KeyName) throws(KeyStoreError) -> Set<KeyID> {
    Set(try records(named: name).compactMap(\.id))
  }

  public func makeKey(named name: KeyName, epoch: UInt64) throws(KeyStoreError) -> KeyEntry {
    try changing(name) { (table, code, places) throws(KeyStoreError) in
      let epoch = min(epoch, KeyTable.maximumEpoch)
      let inUse = places.first { table.records[$0].key != nil }
      // Before what was destroyed is asked: epochs that were counted anew may be behind it.
      if let inUse, table.records[inUse].epoch == epoch, let key = table.records[inUse].key { return .key(key) }
      if places.contains(where: { table.records[$0].isOver(in: epoch) }) { return .destroyed }
      if let inUse { table.records[inUse].destroy(until: epoch) }
      return .key(try newKey(code, epoch, in: &table))
    }
  }

  public func resetEpoch(of name: KeyName, to epoch: UInt64, makesKey: Bool) throws(KeyStoreError) {
    let epoch = min(epoch, KeyTable.maximumEpoch)
    // Hardly ever is there anything to do, and reading takes no lock.
    guard try records(named: name).isAhead(of: epoch, makesKey: makesKey) else { return }
    try changing(name) { (table, code, places) throws(KeyStoreError) in
      guard places.map({ table.records[$0] }).isAhead(of: epoch, makesKey: makesKey) else { return }
      if let inUse = places.first(where: { table.records[$0].key != nil }) {
        table.records[inUse].epoch = epoch
      } else {
        _ = try newKey(code, epoch, in: &table)
      }
    }
  }

  private func newKey(
    _ nameCode: [UInt8], _ epoch: UInt64, in table: inout KeyTable
  ) throws(KeyStoreError) -> SecretKey {
    guard table.records.count < KeyTable.maximumCount else {
      throw KeyStoreError(
        .unavailable, "the key file has room for 65,536 keys", remedy: "Begin another key file for new journals")
    }
    guard let key = SecretKey(bytes: randomBytes(SecretKey.byteCount)), let id = key.id else { throw .library }
    table.records.append(KeyTable.Record(nameCode: nameCode, id: id, key: key, epoch: epoch))
    return key
  }

  public func destroyKey(named name: KeyName, until epoch: UInt64?) throws(KeyStoreError) {
    try changing(name) { (table, code, places) throws(KeyStoreError) in
      let epoch = epoch.map { min(max($0, 1), KeyTable.maximumEpoch) } ?? 0
      for place in places where epoch == 0 || table.records[place].epoch < epoch {
        if table.records[place].key != nil || table.records[place].epoch != 0 {
          table.records[place].destroy(until: epoch)
        }
      }
      if places.isEmpty { table.records.append(KeyTable.Record(nameCode: code, epoch: epoch)) }
    }
  }

  /// Forgets what was read, as when the device is locked: the next call reads the file again.
  public func forgetKeys() { known.withLock { $0 = nil } }

  private func records(named name: KeyName) throws(KeyStoreError) -> [KeyTable.Record] {
    let known = try current()
    guard let code = known.table.code(of: name, known.wrapping) else { throw .library }
    return known.table.records.filter { $0.nameCode == code }
  }

  /// Changes the records of a name, and returns once the file lasts, whether this call changed it or an earlier one.
  private func changing<Value>(
    _ name: KeyName, _ body: (inout KeyTable, [UInt8], [Int]) throws(KeyStoreError) -> Value
  ) throws(KeyStoreError) -> Value {
    try locked { () throws(KeyStoreError) in
      let known = try current()
      var table = known.table
      guard let code = table.code(of: name, known.wrapping) else { throw .library }
      let value = try body(&table, code, table.records.indices.filter { table.records[$0].nameCode == code })
      if table != known.table || isDoubtful.load(ordering: .relaxed) {
        table.generation += 1
        try replace(with: table, known.wrapping)
      } else if !known.isDurable {
        try call { () throws(FileSystemError) in
          let file = try fileSystem.open(path, .read)
          defer { fileSystem.close(file) }
          try fileSystem.sync(file)
          try fileSystem.syncDirectory(FileName.folder(of: path))
        }
        self.known.withLock { if $0?.stamp == known.stamp { $0?.isDurable = true } }
      }
      return value
    }
  }

  // MARK: The file

  /// What the file holds now.
  private func current() throws(KeyStoreError) -> Known {
    let wrapping = try wrappingKey()
    var damaged: [UInt8]?
    while true {
      var stamp: [UInt8] = []
      do throws(KeyStoreError) {
        return try current(wrapping, &stamp)
      } catch {
        // Another process may have replaced the file since it was opened, and overwritten the old one.
        guard error.code == .damaged, stamp != damaged else { throw error }
        damaged = stamp
      }
    }
  }

  private func current(_ wrapping: SecretKey, _ stamp: inout [UInt8]) throws(KeyStoreError) -> Known {
    let file = try call { () throws(FileSystemError) in try fileSystem.open(path, .read) }
    defer { fileSystem.close(file) }
    let size = try call { () throws(FileSystemError) in try fileSystem.size(of: file) }
    guard size <= UInt64(KeyTable.maximumByteCount) else {
      throw KeyStoreError(.damaged, "the key file has \(size) bytes", remedy: "Check the path")
    }
    let end = max(Int(size), HMACSHA256.byteCount)
    stamp = try read(file, 0..<KeyTable.headerByteCount) + read(file, (end - HMACSHA256.byteCount)..<end)
    if let known = known.withLock({ $0 }), known.stamp == stamp, known.wrapping == wrapping { return known }
    let bytes = try read(file, 0..<Int(size))
    let known = Known(
      table: try KeyTable(bytes, wrapping), stamp: Self.stamp(bytes), wrapping: wrapping, isDurable: false)
    self.known.withLock { $0 = known }
    return known
  }

  private static func stamp(_ bytes: [UInt8]) -> [UInt8] {
    Array(bytes.prefix(KeyTable.headerByteCount) + bytes.suffix(HMACSHA256.byteCount))
  }

  private func read(_ file: OpenFile, _ range: Range<Int>) throws(KeyStoreError) -> [UInt8] {
    try call { () throws(FileSystemError) in
      try fileSystem.bytes(of: file, in: UInt64(range.lowerBound)..<UInt64(range.upperBound))
    }
  }

  /// Replaces the file, and overwrites the old one where it was: the keys in it that were destroyed.
  private func replace(with table: KeyTable, _ wrapping: SecretKey) throws(KeyStoreError) {
    guard let bytes = table.encoded(wrapping, randomBytes: randomBytes) else { throw .library }
    let old = try? fileSystem.open(path, .update)
    defer { if let old { fileSystem.close(old) } }
    // What a process left that died while it wrote may hold a key that was destroyed since.
    if let left = try? fileSystem.open(path + ".new", .update) {
      overwrite(left)
      fileSystem.close(left)
    }
    isDoubtful.store(true, ordering: .relaxed)
    try call { () throws(FileSystemError) in try fileSystem.replace(path, by: path + ".new", bytes) }
    isDoubtful.store(false, ordering: .relaxed)
    known.withLock { $0 = Known(table: table, stamp: Self.stamp(bytes), wrapping: wrapping, isDurable: true) }
    if let old { overwrite(old) }
  }

  /// Leaves nothing of a file that lost its name, as far as the device lets it: the change itself is durable already.
  private func overwrite(_ file: OpenFile) {
    guard let size = try? fileSystem.size(of: file), size <= UInt64(KeyTable.maximumByteCount) else { return }
    try? fileSystem.writeAll(file, [UInt8](repeating: 0, count: Int(size)), at: 0)
    try? fileSystem.sync(file)
  }

  private func locked<Value>(_ body: () throws(KeyStoreError) -> Value) throws(KeyStoreError) -> Value {
    let lock = try call { () throws(FileSystemError) in try fileSystem.open(path + ".lock", .createOrUpdate) }
    defer { fileSystem.close(lock) }
    var tries = 0
    while try call({ () throws(FileSystemError) in try !fileSystem.lock(lock) }) {
      tries += 1
      guard tries < Self.maximumTries else {
        throw KeyStoreError(
          .unavailable, "another process holds the lock of the key file", remedy: "End that process, and try again")
      }
      fileSystem.pause(nanoseconds: 1_000_000)
    }
    return try body()
  }

  private func call<Value>(_ body: () throws(FileSystemError) -> Value) throws(KeyStoreError) -> Value {
    do throws(FileSystemError) {
      return try body()
    } catch {
      throw KeyStoreError(
        error.meansMissing ? .missing : .unavailable, "the key file \(path): \(error)",
        remedy: "Check the path, its permissions and the device")
    }
  }
}
