import EventSourcing
import WireFormat

/// `account.removalRequired`: the app must remove the account: the service or the user refused it.
public struct AccountRemovalRequired: EventPayload {
  /// The account.
  public var account: AccountNumber
  /// The code that says why.
  public var code: EnrollmentStatusCode

  /// Creates the event.
  public init(account: AccountNumber, code: EnrollmentStatusCode) {
    self.account = account
    self.code = code
  }

  /// The entry of the catalogue.
  public static let descriptor = EventDescriptor(
    24, "account.removalRequired",
    body: MessageDescriptor(
      "AccountRemovalRequired",
      [
        FieldDescriptor(1, "account", .account, .single, "the account"),
        FieldDescriptor(2, "code", .enumeration(EnrollmentStatusCode.descriptor), .single, "the code that says why"),
      ]),
    meaning: "The app must remove the account: the service or the user refused it.",
    remedy: "Remove the account from the app. Enrollment is not tried again.")

  /// Writes the body, fields in the order of their numbers.
  public func encode(into writer: inout WireWriter) {
    writer.write(1, account: account)
    writer.write(2, unsigned: UInt64(code.rawValue))
  }

  /// Reads the body; fields that nobody knows are skipped.
  public init(from reader: inout WireReader) throws(WireError) {
    var account: AccountNumber?
    var code = EnrollmentStatusCode(rawValue: 0)
    while let field = try reader.nextField() {
      switch field.number {
      case 1: account = try reader.account(field)
      case 2: code = EnrollmentStatusCode(rawValue: try reader.unsigned(field, as: UInt32.self))
      default: try reader.skip(field)
      }
    }
    self.init(
      account: try reader.require(account, field: 1), code: code)
  }
}
