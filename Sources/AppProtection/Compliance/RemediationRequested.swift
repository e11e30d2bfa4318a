import EventSourcing
import WireFormat

/// `remediation.requested`: the app asked to make the account compliant.
public struct RemediationRequested: EventPayload {
  /// The account.
  public var account: AccountNumber
  /// Whether the user must not be asked anything.
  public var isSilent: Bool

  /// Creates the event.
  public init(account: AccountNumber, isSilent: Bool = false) {
    self.account = account
    self.isSilent = isSilent
  }

  /// The entry of the catalogue.
  public static let descriptor = EventDescriptor(
    141, "remediation.requested",
    body: MessageDescriptor(
      "RemediationRequested",
      [
        FieldDescriptor(1, "account", .account, .single, "the account"),
        FieldDescriptor(2, "isSilent", .bool, .single, "whether the user must not be asked anything"),
      ]),
    meaning: "The app asked to make the account compliant.")

  /// Writes the body, fields in the order of their numbers.
  public func encode(into writer: inout WireWriter) {
    writer.write(1, account: account)
    writer.write(2, bool: isSilent)
  }

  /// Reads the body; fields that nobody knows are skipped.
  public init(from reader: inout WireReader) throws(WireError) {
    var account: AccountNumber?
    var isSilent = false
    while let field = try reader.nextField() {
      switch field.number {
      case 1: account = try reader.account(field)
      case 2: isSilent = try reader.bool(field)
      default: try reader.skip(field)
      }
    }
    self.init(
      account: try reader.require(account, field: 1), isSilent: isSilent)
  }
}
