import EventSourcing
import WireFormat

/// `account.deregistered`: an account is no longer registered, and nothing is retried for it.
public struct AccountDeregistered: EventPayload {
  /// The account.
  public var account: AccountNumber
  /// Whether the service could not be told and still counts the account as enrolled.
  public var lingersAtService: Bool

  /// Creates the event.
  public init(account: AccountNumber, lingersAtService: Bool = false) {
    self.account = account
    self.lingersAtService = lingersAtService
  }

  /// The entry of the catalogue.
  public static let descriptor = EventDescriptor(
    23, "account.deregistered",
    body: MessageDescriptor(
      "AccountDeregistered",
      [
        FieldDescriptor(1, "account", .account, .single, "the account"),
        FieldDescriptor(
          2, "lingersAtService", .bool, .single,
          "whether the service could not be told and still counts the account as enrolled"),
      ]),
    meaning: "An account is no longer registered, and nothing is retried for it.",
    remedy: "Where the record lingers at the service, deregister before removing the tokens next time; the next"
      + " sign-in clears it.")

  /// Writes the body, fields in the order of their numbers.
  public func encode(into writer: inout WireWriter) {
    writer.write(1, account: account)
    writer.write(2, bool: lingersAtService)
  }

  /// Reads the body; fields that nobody knows are skipped.
  public init(from reader: inout WireReader) throws(WireError) {
    var account: AccountNumber?
    var lingersAtService = false
    while let field = try reader.nextField() {
      switch field.number {
      case 1: account = try reader.account(field)
      case 2: lingersAtService = try reader.bool(field)
      default: try reader.skip(field)
      }
    }
    self.init(
      account: try reader.require(account, field: 1), lingersAtService: lingersAtService)
  }
}
