import EventSourcing
import WireFormat

/// `account.identified`: more is known about an account: its object id, its name, or that its name changed.
public struct AccountIdentified: EventPayload {
  /// The account.
  public var account: AccountNumber
  /// The object id, where it became known.
  public var objectID: GUID?
  /// The user principal name, where it became known or changed.
  public var userPrincipalName: String?

  /// Creates the event.
  public init(account: AccountNumber, objectID: GUID? = nil, userPrincipalName: String? = nil) {
    self.account = account
    self.objectID = objectID
    self.userPrincipalName = userPrincipalName
  }

  /// The entry of the catalogue.
  public static let descriptor = EventDescriptor(
    21, "account.identified",
    body: MessageDescriptor(
      "AccountIdentified",
      [
        FieldDescriptor(1, "account", .account, .single, "the account"),
        FieldDescriptor(2, "objectID", .guid, .optional, privacy: .account, "the object id, where it became known"),
        FieldDescriptor(
          3, "userPrincipalName", .string, .optional, privacy: .account,
          "the user principal name, where it became known or changed"),
      ]),
    meaning: "More is known about an account: its object id, its name, or that its name changed.")

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
