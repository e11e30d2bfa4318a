import AppProtectionKit
import Journal

/// The key that opens the key file, in the folder that stands for the system's keychain.
///
/// It changes with every key that is destroyed, so that an old copy of the key file, as in a backup, opens nothing.
struct WrappingKeychain: WrappingKeyStore {
  let disk: PosixFileSystem
  let folder: String

  static let first = "wrapping-key"
  private var first: String { "\(folder)/\(Self.first)" }
  /// While one follows the other.
  private var second: String { "\(first).next" }

  /// Makes the first key.
  func begin() throws(FileSystemError) { if let key = Self.draw() { try store(key, at: first) } }

  func wrappingKeys() throws(KeyStoreError) -> [SecretKey] {
    // In this order: the second one becomes the first, and is removed after that.
    let second = try key(second)
    guard let first = try key(first) else { throw Self.unavailable }
    return [first] + (second.map { [$0] } ?? [])
  }

  func prepareWrappingKey() throws(KeyStoreError) -> SecretKey {
    guard let key = Self.draw() else { throw Self.unavailable }
    try call { () throws(FileSystemError) in try store(key, at: second) }
    return key
  }

  func commitWrappingKey() throws(KeyStoreError) {
    guard let key = try key(second) else { return }
    try call { () throws(FileSystemError) in
      try store(key, at: first)
      try disk.remove(second)
      try disk.syncDirectory(folder)
    }
  }

  /// A new random key. No array of its bytes stays in memory.
  private static func draw() -> SecretKey? {
    var bytes = SystemRandom.bytes(SecretKey.byteCount)
    return SecretKey(taking: &bytes)
  }

  private func store(_ key: SecretKey, at path: String) throws(FileSystemError) {
    try key.withUnsafeBytes { (bytes) throws(FileSystemError) in try disk.replace(path, with: bytes) }
    try disk.syncDirectory(folder)
  }

  /// A key; `nil` if it is not there.
  private func key(_ path: String) throws(KeyStoreError) -> SecretKey? {
    var bytes: [UInt8]
    do throws(FileSystemError) { bytes = try disk.contents(of: path) } catch {
      if error.meansMissing { return nil }
      throw Self.unavailable
    }
    guard let key = SecretKey(taking: &bytes) else { throw Self.unavailable }
    return key
  }

  private static var unavailable: KeyStoreError {
    KeyStoreError(.unavailable, "the keychain has no key", remedy: "Unlock the phone")
  }

  private func call(_ body: () throws(FileSystemError) -> Void) throws(KeyStoreError) {
    do throws(FileSystemError) { try body() } catch {
      throw KeyStoreError(.unavailable, "the keychain takes no key: \(error)", remedy: "Unlock the phone")
    }
  }
}
