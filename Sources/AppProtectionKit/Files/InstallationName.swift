import FileProtection
import Journal

/// A random name of one installation of an app, in a file of its own.
struct InstallationName {
  /// 32 hexadecimal digits in lower case.
  let text: String

  private static let byteCount = 16

  init(
    at path: String, create: Bool, _ fileSystem: any FileSystem, _ randomBytes: (Int) -> [UInt8]
  ) throws(KeyStoreError) {
    if let bytes = try Self.read(path, fileSystem) {
      guard let id = KeyID(bytes: Self.parsed(bytes)) else {
        throw KeyStoreError(
          .damaged, "\(path) does not name an installation",
          remedy: "Restore it: what was encrypted under its name cannot be read without it")
      }
      text = id.description
      return
    }
    guard create else {
      throw KeyStoreError(
        .missing, "\(path) is missing", remedy: "Restore it, or remove the app's container and begin again")
    }
    guard let id = KeyID(bytes: randomBytes(Self.byteCount)) else {
      throw KeyStoreError(.unavailable, "the source of randomness failed", remedy: "Try again")
    }
    text = id.description
    try Self.attempt(path) { () throws(FileSystemError) in
      try fileSystem.replace(path, by: path + ".new", Array(text.utf8))
    }
  }

  /// The bytes that a text of hexadecimal digits in lower case stands for; none for any other.
  private static func parsed(_ text: [UInt8]) -> [UInt8] {
    guard text.count == 2 * byteCount else { return [] }
    let digits = Array("0123456789abcdef".utf8)
    let values = text.compactMap { digits.firstIndex(of: $0) }
    guard values.count == text.count else { return [] }
    return stride(from: 0, to: values.count, by: 2).map { UInt8(values[$0] << 4 | values[$0 + 1]) }
  }

  /// What is in the file, and a byte more than should be; `nil` if it is missing.
  private static func read(_ path: String, _ fileSystem: any FileSystem) throws(KeyStoreError) -> [UInt8]? {
    do throws(FileSystemError) {
      let file = try fileSystem.open(path, .read)
      defer { fileSystem.close(file) }
      return try fileSystem.bytes(of: file, in: 0..<UInt64(2 * byteCount + 1))
    } catch {
      if error.meansMissing { return nil }
      throw failure(path, error)
    }
  }

  private static func attempt(
    _ path: String, _ body: () throws(FileSystemError) -> Void
  ) throws(KeyStoreError) {
    do throws(FileSystemError) { try body() } catch { throw failure(path, error) }
  }

  private static func failure(_ path: String, _ error: FileSystemError) -> KeyStoreError {
    KeyStoreError(.unavailable, "\(path): \(error)", remedy: "Check the file's permissions and the disk")
  }
}
