import EventSourcing
import WireFormat

/// `checkIn.requested`: the service is to be asked for the account's policy.
public struct CheckInRequested: EventPayload {
  /// The account.
  public var account: AccountNumber
  /// What the check-in comes from.
  public var trigger: CheckInTrigger

  /// Creates the event.
  public init(account: AccountNumber, trigger: CheckInTrigger = .schedule) {
    self.account = account
    self.trigger = trigger
  }

  /// The entry of the catalogue.
  public static let descriptor = EventDescriptor(
    50, "checkIn.requested",
    body: MessageDescriptor(
      "CheckInRequested",
      [
        FieldDescriptor(1, "account", .account, .single, "the account"),
        FieldDescriptor(2, "trigger", .enumeration(CheckInTrigger.descriptor), .single, "what the check-in comes from"),
      ]),
    meaning: "The service is to be asked for the account's policy.")

  /// Writes the body, fields in the order of their numbers.
  public func encode(into writer: inout WireWriter) {
    writer.write(1, account: account)
    writer.write(2, enumeration: trigger)
  }

  /// Reads the body; fields that nobody knows are skipped.
  public init(from reader: inout WireReader) throws(WireError) {
    var account: AccountNumber?
    var trigger = CheckInTrigger.schedule
    while let field = try reader.nextField() {
      switch field.number {
      case 1: account = try reader.account(field)
      case 2: trigger = try reader.enumeration(field, as: CheckInTrigger.self)
      default: try reader.skip(field)
      }
    }
    self.init(
      account: try reader.require(account, field: 1), trigger: trigger)
  }
}
