import EventSourcing
import WireFormat

/// `login.answered`: the user said who signs in, or canceled.
public struct LoginAnswered: EventPayload {
  /// The account; none when the user canceled.
  public var account: AccountNumber?

  /// Creates the event.
  public init(account: AccountNumber? = nil) {
    self.account = account
  }

  /// The entry of the catalogue.
  public static let descriptor = EventDescriptor(
    49, "login.answered",
    body: MessageDescriptor(
      "LoginAnswered",
      [
        FieldDescriptor(1, "account", .account, .single, "the account; none when the user canceled")
      ]),
    meaning: "The user said who signs in, or canceled.")

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
    self.init(
      account: account)
  }
}
