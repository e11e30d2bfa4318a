import Journal
import Synchronization

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
  /// What the file held when it was last read.
  private let known = Mutex<KeyTable?>(nil)

  /// How often the lock is tried, a millisecond apart.
  private static let maximumTries = 5_000

  /// Opens a key file.
  ///
  /// - Parameters:
  ///   - path: The file. Two more names beside it are used, with `.new` and `.lock` added.
  ///   - create: Whether to begin an empty one if the file is missing. Pass `true` only where no key can exist yet: an app
  ///     that begins again after its key file was lost would take every person for erased.
  ///   - wrappingKey: Returns the key that wraps the others, from a keychain or from hardware. Throws if it cannot be read
  ///     now.
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
          try replace(with: KeyTable(salt: salt))
        }
      }
    }
  }

  public func key(named name: KeyName) throws(KeyStoreError) -> KeyEntry? {
    let table = try current()
    guard let code = table.code(of: name, try wrappingKey()) else { throw .library }
    return Self.entry(table.records.filter { $0.nameCode == code })
  }

  public func key(_ id: KeyID) throws(KeyStoreError) -> KeyEntry? {
    Self.entry(try current().records.filter { $0.id == id })
  }

  public func keyIDs(named name: KeyName) throws(KeyStoreError) -> Set<KeyID> {
    let table = try current()
    guard let code = table.code(of: name, try wrappingKey()) else { throw .library }
    return Set(table.records.compactMap { $0.nameCode == code ? $0.id : nil })
  }

  public func makeKey(named name: KeyName, replacesDestroyed: Bool) throws(KeyStoreError) -> KeyEntry {
    try locked { () throws(KeyStoreError) in
      var table = try current()
      guard let code = table.code(of: name, try wrappingKey()) else { throw .library }
      switch Self.entry(table.records.filter { $0.nameCode == code }) {
      case .key(let key): return .key(key)
      case .destroyed: if !replacesDestroyed { return .destroyed }
      case nil: break
      }
      guard table.records.count < KeyTable.maximumCount else {
        throw KeyStoreError(
          .unavailable, "the key file has room for 65,536 keys", remedy: "Begin another key file for new journals")
      }
      guard let key = SecretKey(bytes: randomBytes(SecretKey.byteCount)), let id = key.id else { throw .library }
      table.records.append(KeyTable.Record(nameCode: code, id: id, key: key))
      table.generation += 1
      try replace(with: table)
      return .key(key)
    }
  }

  public func destroyKey(named name: KeyName) throws(KeyStoreError) {
    try locked { () throws(KeyStoreError) in
      var table = try current()
      guard let code = table.code(of: name, try wrappingKey()) else { throw .library }
      let places = table.records.indices.filter { table.records[$0].nameCode == code }
      guard places.isEmpty || places.contains(where: { table.records[$0].key != nil }) else { return }
      for place in places { table.records[place].key = nil }
      if places.isEmpty { table.records.append(KeyTable.Record(nameCode: code)) }
      table.generation += 1
      try replace(with: table)
    }
  }

  /// Forgets what was read, as when the device is locked: the next call asks for the wrapping key and reads the file again.
  public func forgetKeys() { known.withLock { $0 = nil } }

  private static func entry(_ records: [KeyTable.Record]) -> KeyEntry? {
    records.lazy.compactMap(\.key).first.map { .key($0) } ?? (records.isEmpty ? nil : .destroyed)
  }

  // MARK: The file

  /// What the file holds now.
  private func current() throws(KeyStoreError) -> KeyTable {
    var damaged: [UInt8]?
    while true {
      var header: [UInt8] = []
      do throws(KeyStoreError) {
        return try current(&header)
      } catch {
        // Another process may have replaced the file since it was opened, and overwritten the old one.
        guard error.code == .damaged, header != damaged else { throw error }
        damaged = header
      }
    }
  }

  private func current(_ header: inout [UInt8]) throws(KeyStoreError) -> KeyTable {
    let file = try call { () throws(FileSystemError) in try fileSystem.open(path, .read) }
    defer { fileSystem.close(file) }
    header = try read(file, KeyTable.headerByteCount)
    if let table = known.withLock({ $0 }), table.header == header { return table }
    let size = try call { () throws(FileSystemError) in try fileSystem.size(of: file) }
    guard size <= UInt64(KeyTable.maximumByteCount) else {
      throw KeyStoreError(.damaged, "the key file has \(size) bytes", remedy: "Check the path")
    }
    let table = try KeyTable(try read(file, Int(size)), try wrappingKey())
    known.withLock { $0 = table }
    return table
  }

  private func read(_ file: OpenFile, _ count: Int) throws(KeyStoreError) -> [UInt8] {
    let bytes = try call { () throws(FileSystemError) in
      try fileSystem.bytes(of: file, in: 0..<UInt64(count))
    }
    return bytes
  }

  /// Replaces the file, and overwrites the old one where it was: the keys in it that were destroyed.
  private func replace(with table: KeyTable) throws(KeyStoreError) {
    guard let bytes = table.encoded(try wrappingKey(), randomBytes: randomBytes) else { throw .library }
    try call { () throws(FileSystemError) in
      let old: OpenFile?
      do throws(FileSystemError) { old = try fileSystem.open(path, .update) } catch { old = nil }
      defer { if let old { fileSystem.close(old) } }
      try fileSystem.replace(path, by: path + ".new", bytes)
      guard let old else { return }
      let zeros = [UInt8](repeating: 0, count: Int(try fileSystem.size(of: old)))
      try fileSystem.write(old, zeros, at: 0)
      try fileSystem.sync(old)
    }
    known.withLock { $0 = table }
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
