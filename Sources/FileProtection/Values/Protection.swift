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
