import EventSourcing
import WireFormat

/// `wipe.requested`: the account's data is to be wiped; the app's delegate is asked first.
public struct WipeRequested: EventPayload {
  /// The account.
  public var account: AccountNumber
  /// Why, as the number that wipe notices carry.
  public var reason: WipeReason
  /// Who ordered it.
  public var origin: WipeOrigin
  /// Whether the service is told that the account leaves once the data is gone. Journals before revision 4 have it told first.
  public var precedesUnenrollment: Bool

  /// Creates the event.
  public init(
    account: AccountNumber, reason: WipeReason = .unspecified, origin: WipeOrigin = .service,
    precedesUnenrollment: Bool = false
  ) {
    self.account = account
    self.reason = reason
    self.origin = origin
    self.precedesUnenrollment = precedesUnenrollment
  }

  /// The entry of the catalogue.
  public static let descriptor = EventDescriptor(
    120, "wipe.requested",
    body: MessageDescriptor(
      "WipeRequested",
      [
        FieldDescriptor(1, "account", .account, .single, "the account"),
        FieldDescriptor(
          2, "reason", .enumeration(WipeReason.descriptor), .single,
          "why, as the number that wipe notices carry"),
        FieldDescriptor(3, "origin", .enumeration(WipeOrigin.descriptor), .single, "who ordered it"),
        FieldDescriptor(
          4, "precedesUnenrollment", .bool, .single,
          "whether the service is told that the account leaves once the data is gone"),
      ]),
    meaning: "The account's data is to be wiped; the app's delegate is asked first.")

  /// Writes the body, fields in the order of their numbers.
  public func encode(into writer: inout WireWriter) {
    writer.write(1, account: account)
    writer.write(2, unsigned: UInt64(reason.rawValue))
    writer.write(3, enumeration: origin)
    writer.write(4, bool: precedesUnenrollment)
  }

  /// Reads the body; fields that nobody knows are skipped.
  public init(from reader: inout WireReader) throws(WireError) {
    var account: AccountNumber?
    var reason = WipeReason.unspecified
    var origin = WipeOrigin.service
    var precedesUnenrollment = false
    while let field = try reader.nextField() {
      switch field.number {
      case 1: account = try reader.account(field)
      case 2: reason = WipeReason(rawValue: try reader.unsigned(field, as: UInt32.self))
      case 3: origin = try reader.enumeration(field, as: WipeOrigin.self)
      case 4: precedesUnenrollment = try reader.bool(field)
      default: try reader.skip(field)
      }
    }
    self.init(
      account: try reader.require(account, field: 1), reason: reason, origin: origin,
      precedesUnenrollment: precedesUnenrollment)
  }
}
