import EventSourcing
import WireFormat

/// `enrollment.switchAsked`: a second managed account wants in while only one is allowed: the user is asked which to
/// keep.
public struct AccountSwitchAsked: EventPayload {
  /// The account that wants in.
  public var account: AccountNumber
  /// The account that is managed.
  public var existing: AccountNumber

  /// Creates the event.
  public init(account: AccountNumber, existing: AccountNumber) {
    self.account = account
    self.existing = existing
  }

  /// The entry of the catalogue.
  public static let descriptor = EventDescriptor(
    43, "enrollment.switchAsked",
    body: MessageDescriptor(
      "AccountSwitchAsked",
      [
        FieldDescriptor(1, "account", .account, .single, "the account that wants in"),
        FieldDescriptor(2, "existing", .account, .single, "the account that is managed"),
      ]),
    meaning: "A second managed account wants in while only one is allowed: the user is asked which to keep.")

  /// Writes the body, fields in the order of their numbers.
  public func encode(into writer: inout WireWriter) {
    writer.write(1, account: account)
    writer.write(2, account: existing)
  }

  /// Reads the body; fields that nobody knows are skipped.
  public init(from reader: inout WireReader) throws(WireError) {
    var account: AccountNumber?
    var existing: AccountNumber?
    while let field = try reader.nextField() {
      switch field.number {
      case 1: account = try reader.account(field)
      case 2: existing = try reader.account(field)
      default: try reader.skip(field)
      }
    }
    self.init(
      account: try reader.require(account, field: 1), existing: try reader.require(existing, field: 2))
  }
}
