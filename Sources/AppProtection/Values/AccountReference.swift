import EventSourcing

/// An account as an app names it: by object id, by user principal name, by both, or by its number in the journal.
///
/// Two references mean the same account if their object ids are equal. Only if one side lacks an object id do the names
/// decide, ignoring case. The same name with two object ids is therefore two accounts (`isIdentity:equalTo:` of the
/// SDK).
public struct AccountReference: Hashable, Sendable, CustomStringConvertible {
  /// The number in the journal, if the caller knows it. It then overrides everything else.
  public var number: AccountNumber?
  /// The Entra object id.
  public var objectID: GUID?
  /// The user principal name, as given.
  public var userPrincipalName: String?

  /// The maximum length of a user principal name in UTF-8 bytes. Entra allows 113 characters; longer names are refused
  /// and never written.
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

  /// Reads what an app passes as an account id or an identity: a GUID is an object id, text with an `@` inside is a
  /// user principal name. `nil` for anything else: Entra issues only GUIDs as account ids, and an unusable id leads to
  /// status 207, like a missing one.
  public init?(_ text: String) {
    if let objectID = GUID(text) {
      self.init(objectID: objectID)
      return
    }
    self.init(userPrincipalName: text)
    guard isUsable else { return nil }
  }

  /// Whether the reference could identify an account.
  public var isUsable: Bool {
    if number != nil { return true }
    guard var name = userPrincipalName else { return objectID != nil }
    // Every command checks this, so the bytes are read in place.
    return name.withUTF8 { bytes in
      let at = UInt8(ascii: "@")
      guard bytes.count <= Self.maximumNameLength, let sign = bytes.firstIndex(of: at) else { return false }
      return sign > 0 && sign < bytes.count - 1 && !bytes[(sign + 1)...].contains(at)
    }
  }

  /// Whether two references mean the same account (`isIdentity:equalTo:`). Journal numbers decide if both have one,
  /// then object ids if both have one, and otherwise names, ignoring case.
  ///
  /// Compares only what the references say: an object id and a name never match, although both may mean one account, and a
  /// name matches two accounts that had it one after the other. ``AppProtectionState/account(for:)`` knows which account each
  /// means.
  public func isSame(as other: AccountReference) -> Bool {
    if let number, let otherNumber = other.number { return number == otherNumber }
    if let objectID, let otherID = other.objectID { return objectID == otherID }
    guard let name = userPrincipalName, let otherName = other.userPrincipalName else { return false }
    return Self.areEqual(name, otherName)
  }

  /// Whether two user principal names are equal ignoring case, by Unicode's rules, independent of locale.
  package static func areEqual(_ one: String, _ other: String) -> Bool {
    one == other || one.lowercased() == other.lowercased()
  }

  /// The reference for messages; it names a person unless the number is known.
  public var description: String {
    number?.description ?? userPrincipalName ?? objectID?.description ?? "no account"
  }
}
