import EventSourcing
import WireFormat

/// `launch.canceled`: the user did not answer what a launch condition asked.
public struct LaunchCanceled: EventPayload {
  /// The account.
  public var account: AccountNumber

  /// Creates the event.
  public init(account: AccountNumber) {
    self.account = account
  }

  /// The entry of the catalogue.
  public static let descriptor = EventDescriptor(
    163, "launch.canceled",
    body: MessageDescriptor(
      "LaunchCanceled",
      [
        FieldDescriptor(1, "account", .account, .single, "the account")
      ]),
    meaning: "The user did not answer what a launch condition asked; the app stays closed for the account.")

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
