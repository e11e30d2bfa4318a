import EventSourcing
import WireFormat

/// `pin.reset`: the PIN does not count any more; another one must be chosen.
public struct PINReset: EventPayload {
  /// The account.
  public var account: AccountNumber

  /// Creates the event.
  public init(account: AccountNumber) {
    self.account = account
  }

  /// The entry of the catalogue.
  public static let descriptor = EventDescriptor(
    168, "pin.reset",
    body: MessageDescriptor(
      "PINReset",
      [
        FieldDescriptor(1, "account", .account, .single, "the account")
      ]),
    meaning: "The PIN does not count any more, and another one must be chosen.")

  /// Writes the body, fields in the order of their numbers.
  public func encode(into writer: inout WireWriter) {
    writer.write(1, account: account)
  }

  /// Reads the body; fields that nobody knows are skipped.
  public init(from reader: inout WireReader) throws(WireError) {
    var account: AccountNumber?
    while let field = try reader.nextField() {
      switch field.number {
      case 1: account = try reader.account(field)
      default: try reader.skip(field)
      }
    }
    self.init(account: try reader.require(account, field: 1))
  }
}
