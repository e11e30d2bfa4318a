import EventSourcing
import WireFormat

/// `enrollment.lapsed`: the account was silent for so long that the service may have dropped it; it is registered anew.
public struct EnrollmentLapsed: EventPayload {
  /// The account.
  public var account: AccountNumber

  /// Creates the event.
  public init(account: AccountNumber) {
    self.account = account
  }

  /// The entry of the catalogue.
  public static let descriptor = EventDescriptor(
    47, "enrollment.lapsed",
    body: MessageDescriptor(
      "EnrollmentLapsed",
      [
        FieldDescriptor(1, "account", .account, .single, "the account")
      ]),
    meaning: "The account was silent for so long that the service may have dropped it; it is registered anew.")

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
      account: try reader.require(account, field: 1))
  }
}
