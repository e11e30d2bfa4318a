import EventSourcing
import WireFormat

/// `enrollment.conflictDetected`: the account has the user principal name of a managed account and another object id.
public struct EnrollmentConflictDetected: EventPayload {
  /// The account.
  public var account: AccountNumber
  /// The managed account of the same name.
  public var existing: AccountNumber

  /// Creates the event.
  public init(account: AccountNumber, existing: AccountNumber) {
    self.account = account
    self.existing = existing
  }

  /// The entry of the catalogue.
  public static let descriptor = EventDescriptor(
    45, "enrollment.conflictDetected", unknownReaders: .ignorable,
    body: MessageDescriptor(
      "EnrollmentConflictDetected",
      [
        FieldDescriptor(1, "account", .account, .single, "the account"),
        FieldDescriptor(2, "existing", .account, .single, "the managed account of the same name"),
      ]),
    meaning: "The account has the user principal name of a managed account and another object id.",
    remedy: "The name was given to another user: reset the device account (Authenticator) or reinstall the app.")

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
