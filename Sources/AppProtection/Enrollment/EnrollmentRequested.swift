import EventSourcing
import WireFormat

/// `enrollment.requested`: the service is to be asked to enroll the account.
public struct EnrollmentRequested: EventPayload {
  /// The account.
  public var account: AccountNumber
  /// What the enrollment comes from.
  public var trigger: EnrollmentTrigger

  /// Creates the event.
  public init(account: AccountNumber, trigger: EnrollmentTrigger = .registration) {
    self.account = account
    self.trigger = trigger
  }

  /// The entry of the catalogue.
  public static let descriptor = EventDescriptor(
    40, "enrollment.requested",
    body: MessageDescriptor(
      "EnrollmentRequested",
      [
        FieldDescriptor(1, "account", .account, .single, "the account"),
        FieldDescriptor(
          2, "trigger", .enumeration(EnrollmentTrigger.descriptor), .single,
          "what the enrollment comes from"),
      ]),
    meaning: "The service is to be asked to enroll the account.")

  /// Writes the body, fields in the order of their numbers.
  public func encode(into writer: inout WireWriter) {
    writer.write(1, account: account)
    writer.write(2, enumeration: trigger)
  }

  /// Reads the body; fields that nobody knows are skipped.
  public init(from reader: inout WireReader) throws(WireError) {
    var account: AccountNumber?
    var trigger = EnrollmentTrigger.registration
    while let field = try reader.nextField() {
      switch field.number {
      case 1: account = try reader.account(field)
      case 2: trigger = try reader.enumeration(field, as: EnrollmentTrigger.self)
      default: try reader.skip(field)
      }
    }
    self.init(
      account: try reader.require(account, field: 1), trigger: trigger)
  }
}
