import EventSourcing
import WireFormat

/// `enrollment.recordGone`: the service has no record of the account any more, so the account is unenrolled; after 220 it
/// is enrolled again, after 221 it is not.
public struct EnrollmentRecordGone: EventPayload {
  /// The account.
  public var account: AccountNumber
  /// 220 where the account is enrolled again, 221 where the service would refuse that.
  public var code: EnrollmentStatusCode

  /// Creates the event.
  public init(account: AccountNumber, code: EnrollmentStatusCode = .policyRecordGone) {
    self.account = account
    self.code = code
  }

  /// The entry of the catalogue.
  public static let descriptor = EventDescriptor(
    46, "enrollment.recordGone",
    body: MessageDescriptor(
      "EnrollmentRecordGone",
      [
        FieldDescriptor(1, "account", .account, .single, "the account"),
        FieldDescriptor(
          2, "code", .enumeration(EnrollmentStatusCode.descriptor), .single,
          "220 where the account is enrolled again, 221 where the service would refuse that"),
      ]),
    meaning: "The service has no record of the account any more; it is unenrolled, and after 220 enrolled again.")

  /// Writes the body, fields in the order of their numbers.
  public func encode(into writer: inout WireWriter) {
    writer.write(1, account: account)
    // Also 0, which is not what a missing field means.
    writer.writePresent(2, unsigned: UInt64(code.rawValue))
  }

  /// Reads the body; fields that nobody knows are skipped.
  public init(from reader: inout WireReader) throws(WireError) {
    var account: AccountNumber?
    var code = EnrollmentStatusCode.policyRecordGone
    while let field = try reader.nextField() {
      switch field.number {
      case 1: account = try reader.account(field)
      case 2: code = EnrollmentStatusCode(rawValue: try reader.unsigned(field, as: UInt32.self))
      default: try reader.skip(field)
      }
    }
    self.init(account: try reader.require(account, field: 1), code: code)
  }
}
