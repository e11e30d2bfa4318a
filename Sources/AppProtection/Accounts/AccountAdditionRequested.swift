import EventSourcing
import WireFormat

/// `account.additionRequested`: the engine enrolled an account on its own, and the app is asked to add it.
public struct AccountAdditionRequested: EventPayload {
  /// The account.
  public var account: AccountNumber

  /// Creates the event.
  public init(account: AccountNumber) {
    self.account = account
  }

  /// The entry of the catalogue.
  public static let descriptor = EventDescriptor(
    27, "account.additionRequested",
    body: MessageDescriptor(
      "AccountAdditionRequested",
      [
        FieldDescriptor(1, "account", .account, .single, "the account")
      ]),
    meaning: "The engine enrolled an account that the app did not name: the app is asked to add it.")

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
