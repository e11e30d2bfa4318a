/// How a file or data is protected, and for whom.
public enum Protection: Hashable, Sendable {
  /// It is encrypted with the key of its owner. The account has the key; omit it only where the owner's name never changes.
  case encrypted(owner: String, account: KeyAccount? = nil)
  /// It names its owner, and is not encrypted. Anyone can write such a header.
  case marked(owner: String)

  /// The owner's name, as the app names it: an object id or a user principal name. A header may leave the owner out only if nothing is
  /// encrypted.
  public var owner: String {
    switch self {
    case .encrypted(let owner, _), .marked(let owner): owner
    }
  }

  /// The length of an owner's name in UTF-8 that has room in a header.
  public static let maximumOwnerByteCount = 1024

  func checkOwner() throws(ProtectionError) {
    guard owner.utf8.count <= Self.maximumOwnerByteCount else {
      throw ProtectionError(
        .tooLarge, "the owner's name has \(owner.utf8.count) bytes, and a header has room for 1,024",
        remedy: "Name the owner by an object id or a user principal name")
    }
    guard case .encrypted(let owner, let account) = self else { return }
    guard !owner.isEmpty, account?.name.isEmpty != true else {
      throw ProtectionError(
        .noOwner, "nothing is encrypted for an owner without a name", remedy: "Name the account whose it is")
    }
  }
}

/// What a reader asks of the protection of a file or of data.
///
/// A file tells what it is, and any program that can write to its place can put something else there. Only its reader can know
/// that it was encrypted once.
public enum RequiredProtection: Hashable, Sendable {
  /// Anything is read: encrypted, marked and plain.
  case any
  /// Only what the holder of a key has encrypted is read. All else is an error, ``ProtectionError/Code/notEncrypted``.
  case encrypted

  func check(_ info: ProtectionInfo) throws(ProtectionError) {
    switch self {
    case .any: return
    case .encrypted: if !info.isEncrypted { throw .notEncrypted(isMarked: info.owner != nil) }
    }
  }
}

/// What a header says about a protected file or protected data.
public struct ProtectionInfo: Hashable, Sendable {
  /// Whether the contents are encrypted.
  public var isEncrypted: Bool
  /// The account that owns it; `nil` if it is encrypted, and the key store does not have its key or no longer has it. Only the
  /// holder of the key can have written the name into what is encrypted; anyone can into what is not.
  public var owner: String?
  /// The key that encrypts it; `nil` if it is not encrypted.
  public var keyID: KeyID?
}
