import EventSourcing
import WireFormat

/// `account.exclusivityChanged`: whether the account must be the only managed one.
public struct AccountExclusivityChanged: EventPayload {
  /// The account.
  public var account: AccountNumber
  /// Whether it must be the only one.
  public var isExclusive: Bool

  /// Creates the event.
  public init(account: AccountNumber, isExclusive: Bool = false) {
    self.account = account
    self.isExclusive = isExclusive
  }

  /// The entry of the catalogue.
  public static let descriptor = EventDescriptor(
    30, "account.exclusivityChanged",
    body: MessageDescriptor(
      "AccountExclusivityChanged",
      [
        FieldDescriptor(1, "account", .account, .single, "the account"),
        FieldDescriptor(2, "isExclusive", .bool, .single, "whether it must be the only one"),
      ]),
    meaning: "Whether the account must be the only managed one changed.")

  /// Writes the body, fields in the order of their numbers.
  public func encode(into writer: inout WireWriter) {
    writer.write(1, account: account)
    writer.write(2, bool: isExclusive)
  }

  /// Reads the body; fields that nobody knows are skipped.
  public init(from reader: inout WireReader) throws(WireError) {
    var account: AccountNumber?
    var isExclusive = false
    while let field = try reader.nextField() {
      switch field.number {
      case 1: account = try reader.account(field)
      case 2: isExclusive = try reader.bool(field)
      default: try reader.skip(field)
      }
    }
    self.init(account: try reader.require(account, field: 1), isExclusive: isExclusive)
  }
}
