/// An account as an app names it: by object id, by user principal name, by both, or by its number in the journal.
///
/// Two references mean one account when their object ids are equal; only where one side has no object id do the names
/// decide, ignoring case. One name with two object ids is therefore two accounts (`isIdentity:equalTo:` of the SDK).
public struct AccountReference: Hashable, Sendable, CustomStringConvertible {
  /// The number in the journal, where the caller knows it. It is then the only thing that counts.
  public var number: AccountNumber?
  /// The Entra object id.
  public var objectID: GUID?
  /// The user principal name, as given.
  public var userPrincipalName: String?

  /// The most bytes of UTF-8 that a user principal name may have. Entra allows 113 characters; whatever is longer than
  /// this is refused and never written.
  public static let maximumNameLength = 1024

  /// Names an account by its object id, its user principal name, or both.
  public init(objectID: GUID? = nil, userPrincipalName: String? = nil) {
    self.objectID = objectID
    self.userPrincipalName = userPrincipalName
  }

  /// Names an account by its number in the journal.
  public init(_ number: AccountNumber) {
    self.number = number
  }

  /// Reads what an app passes as an account id or an identity: a GUID is an object id, text with an `@` inside is a user
  /// principal name. `nil` for anything else: Entra issues no account id that is not a GUID, and an unusable id leads
  /// to status 207 as a missing one does.
  public init?(_ text: String) {
    if let objectID = GUID(text) {
      self.init(objectID: objectID)
      return
    }
    self.init(userPrincipalName: text)
    guard isUsable else { return nil }
  }

  /// Whether there is anything that could identify an account.
  public var isUsable: Bool {
    if number != nil { return true }
    guard var name = userPrincipalName else { return objectID != nil }
    // Every command asks this: the bytes are read where they lie.
    return name.withUTF8 { bytes in
      let at = UInt8(ascii: "@")
      guard bytes.count <= Self.maximumNameLength, let sign = bytes.firstIndex(of: at) else { return false }
      return sign > 0 && sign < bytes.count - 1 && !bytes[(sign + 1)...].contains(at)
    }
  }

  /// Whether two references mean one account (`isIdentity:equalTo:`). Numbers of one journal decide where both have one,
  /// then object ids where both have one, and only then names, ignoring case.
  public func isSame(as other: AccountReference) -> Bool {
    if let number, let otherNumber = other.number { return number == otherNumber }
    if let objectID, let otherID = other.objectID { return objectID == otherID }
    guard let name = userPrincipalName, let otherName = other.userPrincipalName else { return false }
    return AppProtectionState.areEqual(name, otherName)
  }

  /// The reference for messages; it names a person wherever no number is known.
  public var description: String {
    number?.description ?? userPrincipalName ?? objectID?.description ?? "no account"
  }
}
