import EventSourcing
import WireFormat

/// `enrollment.switchAnswered`: the user chose which managed account to keep.
public struct AccountSwitchAnswered: EventPayload {
  /// The account that wanted in.
  public var account: AccountNumber
  /// The account that is managed.
  public var existing: AccountNumber
  /// What the user chose.
  public var choice: AccountChoice

  /// Creates the event.
  public init(account: AccountNumber, existing: AccountNumber, choice: AccountChoice = .keepExisting) {
    self.account = account
    self.existing = existing
    self.choice = choice
  }

  /// The entry of the catalogue.
  public static let descriptor = EventDescriptor(
    44, "enrollment.switchAnswered",
    body: MessageDescriptor(
      "AccountSwitchAnswered",
      [
        FieldDescriptor(1, "account", .account, .single, "the account that wanted in"),
        FieldDescriptor(2, "existing", .account, .single, "the account that is managed"),
        FieldDescriptor(3, "choice", .enumeration(AccountChoice.descriptor), .single, "what the user chose"),
      ]),
    meaning: "The user chose which managed account to keep.")

  /// Writes the body, fields in the order of their numbers.
  public func encode(into writer: inout WireWriter) {
    writer.write(1, account: account)
    writer.write(2, account: existing)
    writer.write(3, enumeration: choice)
  }

  /// Reads the body; fields that nobody knows are skipped.
  public init(from reader: inout WireReader) throws(WireError) {
    var account: AccountNumber?
    var existing: AccountNumber?
    var choice = AccountChoice.keepExisting
    while let field = try reader.nextField() {
      switch field.number {
      case 1: account = try reader.account(field)
      case 2: existing = try reader.account(field)
      case 3: choice = try reader.enumeration(field, as: AccountChoice.self)
      default: try reader.skip(field)
      }
    }
    self.init(
      account: try reader.require(account, field: 1), existing: try reader.require(existing, field: 2), choice: choice)
  }
}
