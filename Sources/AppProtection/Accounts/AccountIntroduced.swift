import EventSourcing
import WireFormat

/// `account.introduced`: an account was mentioned for the first time and got its number.
public struct AccountIntroduced: EventPayload {
  /// The number by which everything else in the journal refers to it.
  public var account: AccountNumber
  /// The Entra object id, where it is known.
  public var objectID: GUID?
  /// The user principal name as first given, where it is known.
  public var userPrincipalName: String?

  /// Creates the event.
  public init(account: AccountNumber, objectID: GUID? = nil, userPrincipalName: String? = nil) {
    self.account = account
    self.objectID = objectID
    self.userPrincipalName = userPrincipalName
  }

  /// The entry of the catalogue.
  public static let descriptor = EventDescriptor(
    20, "account.introduced",
    body: MessageDescriptor(
      "AccountIntroduced",
      [
        FieldDescriptor(
          1, "account", .account, .single,
          "the number by which everything else in the journal refers to it"),
        FieldDescriptor(2, "objectID", .guid, .optional, privacy: .account, "the Entra object id, where it is known"),
        FieldDescriptor(
          3, "userPrincipalName", .string, .optional, privacy: .account,
          "the user principal name as first given, where it is known"),
      ]),
    meaning: "An account was mentioned for the first time and got its number.")

  /// Writes the body, fields in the order of their numbers.
  public func encode(into writer: inout WireWriter) {
    writer.write(1, account: account)
    writer.write(2, guid: objectID)
    writer.write(3, optional: userPrincipalName)
  }

  /// Reads the body; fields that nobody knows are skipped.
  public init(from reader: inout WireReader) throws(WireError) {
    var account: AccountNumber?
    var objectID: GUID?
    var userPrincipalName: String?
    while let field = try reader.nextField() {
      switch field.number {
      case 1: account = try reader.account(field)
      case 2: objectID = try reader.guid(field)
      case 3: userPrincipalName = try reader.string(field)
      default: try reader.skip(field)
      }
    }
    self.init(
      account: try reader.require(account, field: 1), objectID: objectID, userPrincipalName: userPrincipalName)
  }
}
