import EventSourcing
import WireFormat

/// `unenrollment.requested`: the service is to be told that the account leaves.
public struct UnenrollmentRequested: EventPayload {
  /// The account.
  public var account: AccountNumber
  /// Whether the account's data is wiped too.
  public var wipe: Bool
  /// Who wants it.
  public var origin: UnenrollmentOrigin

  /// Creates the event.
  public init(account: AccountNumber, wipe: Bool = false, origin: UnenrollmentOrigin = .app) {
    self.account = account
    self.wipe = wipe
    self.origin = origin
  }

  /// The entry of the catalogue.
  public static let descriptor = EventDescriptor(
    60, "unenrollment.requested",
    body: MessageDescriptor(
      "UnenrollmentRequested",
      [
        FieldDescriptor(1, "account", .account, .single, "the account"),
        FieldDescriptor(2, "wipe", .bool, .single, "whether the account's data is wiped too"),
        FieldDescriptor(3, "origin", .enumeration(UnenrollmentOrigin.descriptor), .single, "who wants it"),
      ]),
    meaning: "The service is to be told that the account leaves.")

  /// Writes the body, fields in the order of their numbers.
  public func encode(into writer: inout WireWriter) {
    writer.write(1, account: account)
    writer.write(2, bool: wipe)
    writer.write(3, enumeration: origin)
  }

  /// Reads the body; fields that nobody knows are skipped.
  public init(from reader: inout WireReader) throws(WireError) {
    var account: AccountNumber?
    var wipe = false
    var origin = UnenrollmentOrigin.app
    while let field = try reader.nextField() {
      switch field.number {
      case 1: account = try reader.account(field)
      case 2: wipe = try reader.bool(field)
      case 3: origin = try reader.enumeration(field, as: UnenrollmentOrigin.self)
      default: try reader.skip(field)
      }
    }
    self.init(
      account: try reader.require(account, field: 1), wipe: wipe, origin: origin)
  }
}
