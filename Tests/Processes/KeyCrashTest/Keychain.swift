import FileProtection
import Journal

/// A keychain in a folder: one file for the first wrapping key, one for the second, each replaced as a whole.
struct Keychain: WrappingKeyStore {
  let folder: String
  private let disk = PosixFileSystem()

  init(in folder: String) { self.folder = folder }

  private var first: String { "\(folder)/first" }
  private var second: String { "\(folder)/second" }

  /// Stores the first key.
  func begin() throws(KeyStoreError) { try store(try randomKey(), at: first) }

  func wrappingKeys() throws(KeyStoreError) -> [SecretKey] {
    while true {
      let (before, other, after) = (try key(at: first), try key(at: second), try key(at: first))
      // The second one became the first meanwhile.
      guard before == after else { continue }
      guard let before else {
        throw KeyStoreError(.unavailable, "the keychain has no first key", remedy: "Look at its folder")
      }
      // Between the two steps of a commit, both files have the same key.
      return [before] + [other].compactMap(\.self).filter { $0 != before }
    }
  }

  func prepareWrappingKey() throws(KeyStoreError) -> SecretKey {
    let key = try randomKey()
    try store(key, at: second)
    return key
  }

  func commitWrappingKey() throws(KeyStoreError) {
    guard let key = try key(at: second) else { return }
    try store(key, at: first)
    try call { () throws(FileSystemError) in
      try disk.remove(second)
      try disk.syncDirectory(folder)
    }
  }

  private func key(at path: String) throws(KeyStoreError) -> SecretKey? {
    guard let file = try? disk.open(path, .read) else { return nil }
    defer { disk.close(file) }
    guard let bytes = try? disk.bytes(of: file, in: 0..<UInt64(SecretKey.byteCount + 1)) else { return nil }
    guard let key = SecretKey(bytes: bytes) else {
      throw KeyStoreError(.unavailable, "\(path) has \(bytes.count) bytes", remedy: "Look at its folder")
    }
    return key
  }

  private func store(_ key: SecretKey, at path: String) throws(KeyStoreError) {
    try call { () throws(FileSystemError) in
      try disk.replace(path, by: path + ".new", key.withUnsafeBytes { Array($0) })
    }
  }

  private func randomKey() throws(KeyStoreError) -> SecretKey {
    guard let key = SecretKey(bytes: randomBytes(SecretKey.byteCount)) else {
      throw KeyStoreError(.unavailable, "no random key", remedy: "Try again")
    }
    return key
  }

  private func call(_ body: () throws(FileSystemError) -> Void) throws(KeyStoreError) {
    do throws(FileSystemError) { try body() } catch {
      throw KeyStoreError(.unavailable, "the keychain: \(error)", remedy: "Look at its folder")
    }
  }
}

/// Bytes that no other process has.
@Sendable func randomBytes(_ count: Int) -> [UInt8] {
  var generator = SystemRandomNumberGenerator()
  return (0..<count).map { _ in UInt8.random(in: .min ... .max, using: &generator) }
}
