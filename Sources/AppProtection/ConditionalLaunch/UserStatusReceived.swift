import EventSourcing
import WireFormat

/// `userStatus.received`: the service said whether the account is disabled, and whether its user is at work.
public struct UserStatusReceived: EventPayload {
  /// The account.
  public var account: AccountNumber
  /// Whether its user is at work.
  public var clockStatus: ClockStatus
  /// Whether it is disabled or deleted.
  public var isDisabled: Bool

  /// Creates the event.
  public init(account: AccountNumber, clockStatus: ClockStatus = .notConfigured, isDisabled: Bool = false) {
    self.account = account
    self.clockStatus = clockStatus
    self.isDisabled = isDisabled
  }

  /// The entry of the catalogue.
  public static let descriptor = EventDescriptor(
    161, "userStatus.received",
    body: MessageDescriptor(
      "UserStatusReceived",
      [
        FieldDescriptor(1, "account", .account, .single, "the account"),
        FieldDescriptor(2, "clockStatus", .enumeration(ClockStatus.descriptor), .single, "whether its user is at work"),
        FieldDescriptor(3, "isDisabled", .bool, .single, "whether it is disabled or deleted"),
      ]),
    meaning: "The service said whether the account is disabled, and whether its user is at work.")

  /// Writes the body, fields in the order of their numbers.
  public func encode(into writer: inout WireWriter) {
    writer.write(1, account: account)
    writer.write(2, enumeration: clockStatus)
    writer.write(3, bool: isDisabled)
  }

  /// Reads the body; fields that nobody knows are skipped.
  public init(from reader: inout WireReader) throws(WireError) {
    var account: AccountNumber?
    var clockStatus = ClockStatus.notConfigured
    var isDisabled = false
    while let field = try reader.nextField() {
      switch field.number {
      case 1: account = try reader.account(field)
      case 2: clockStatus = try reader.enumeration(field, as: ClockStatus.self)
      case 3: isDisabled = try reader.bool(field)
      default: try reader.skip(field)
      }
    }
    self.init(account: try reader.require(account, field: 1), clockStatus: clockStatus, isDisabled: isDisabled)
  }
}
