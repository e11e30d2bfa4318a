import EventSourcing
import WireFormat

/// `checkIn.unchanged`: the service says that nothing changed for the account.
public struct CheckInUnchanged: EventPayload {
  /// The account.
  public var account: AccountNumber
  /// 101: the policy is the one the app has; 103: there still is none.
  public var code: EnrollmentStatusCode
  /// When the service is to be asked again.
  public var nextCheckIn: Int64?

  /// Creates the event.
  public init(account: AccountNumber, code: EnrollmentStatusCode, nextCheckIn: Int64? = nil) {
    self.account = account
    self.code = code
    self.nextCheckIn = nextCheckIn
  }

  /// The entry of the catalogue.
  public static let descriptor = EventDescriptor(
    51, "checkIn.unchanged",
    body: MessageDescriptor(
      "CheckInUnchanged",
      [
        FieldDescriptor(1, "account", .account, .single, "the account"),
        FieldDescriptor(
          2, "code", .enumeration(EnrollmentStatusCode.descriptor), .single,
          "101: the policy is the one the app has; 103: there still is none"),
        FieldDescriptor(3, "nextCheckIn", .time, .optional, "when the service is to be asked again"),
      ]),
    meaning: "The service says that nothing changed for the account.")

  /// Writes the body, fields in the order of their numbers.
  public func encode(into writer: inout WireWriter) {
    writer.write(1, account: account)
    writer.write(2, unsigned: UInt64(code.rawValue))
    writer.write(3, time: nextCheckIn)
  }

  /// Reads the body; fields that nobody knows are skipped.
  public init(from reader: inout WireReader) throws(WireError) {
    var account: AccountNumber?
    var code = EnrollmentStatusCode(rawValue: 0)
    var nextCheckIn: Int64?
    while let field = try reader.nextField() {
      switch field.number {
      case 1: account = try reader.account(field)
      case 2: code = EnrollmentStatusCode(rawValue: try reader.unsigned(field, as: UInt32.self))
      case 3: nextCheckIn = try reader.fixed(field)
      default: try reader.skip(field)
      }
    }
    self.init(
      account: try reader.require(account, field: 1), code: code, nextCheckIn: nextCheckIn)
  }
}
