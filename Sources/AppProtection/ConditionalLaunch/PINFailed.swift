import EventSourcing
import WireFormat

/// `pin.failed`: the user entered a wrong PIN.
public struct PINFailed: EventPayload {
  /// The account.
  public var account: AccountNumber

  /// Creates the event.
  public init(account: AccountNumber) {
    self.account = account
  }

  /// The entry of the catalogue.
  public static let descriptor = EventDescriptor(
    167, "pin.failed",
    body: MessageDescriptor(
      "PINFailed",
      [
        FieldDescriptor(1, "account", .account, .single, "the account")
      ]),
    meaning: "The user entered a wrong PIN.",
    remedy:
      "After as many wrong PINs as the policy accepts the PIN is reset, which needs a sign-in, or the data is removed.")

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
