import EventSourcing
import WireFormat

/// `token.denied`: a token for the account was refused because conditional access demands protection first.
public struct TokenDenied: EventPayload {
  /// The account.
  public var account: AccountNumber
  /// The error of the token library; -50004 demands remediation.
  public var error: Int64
  /// Whether this is at least the third refusal after a compliant remediation without a check-in between.
  public var isLoop: Bool
  /// Whether the token was asked for while a remediation of the account had not ended.
  public var isPremature: Bool

  /// Creates the event.
  public init(account: AccountNumber, error: Int64 = 0, isLoop: Bool = false, isPremature: Bool = false) {
    self.account = account
    self.error = error
    self.isLoop = isLoop
    self.isPremature = isPremature
  }

  /// The entry of the catalogue.
  public static let descriptor = EventDescriptor(
    140, "token.denied",
    body: MessageDescriptor(
      "TokenDenied",
      [
        FieldDescriptor(1, "account", .account, .single, "the account"),
        FieldDescriptor(2, "error", .signed, .single, "the error of the token library; -50004 demands remediation"),
        FieldDescriptor(
          3, "isLoop", .bool, .single,
          "whether this is at least the third refusal after a compliant remediation without a check-in "
            + "between"),
        FieldDescriptor(
          4, "isPremature", .bool, .single,
          "whether the token was asked for while a remediation of the account had not ended"),
      ]),
    meaning: "A token for the account was refused because conditional access demands protection first.",
    remedy: "Call remediateCompliance and ask for a token again only when its callback says compliant.")

  /// Writes the body, fields in the order of their numbers.
  public func encode(into writer: inout WireWriter) {
    writer.write(1, account: account)
    writer.write(2, signed: error)
    writer.write(3, bool: isLoop)
    writer.write(4, bool: isPremature)
  }

  /// Reads the body; fields that nobody knows are skipped.
  public init(from reader: inout WireReader) throws(WireError) {
    var account: AccountNumber?
    var error: Int64 = 0
    var isLoop = false
    var isPremature = false
    while let field = try reader.nextField() {
      switch field.number {
      case 1: account = try reader.account(field)
      case 2: error = try reader.signed(field)
      case 3: isLoop = try reader.bool(field)
      case 4: isPremature = try reader.bool(field)
      default: try reader.skip(field)
      }
    }
    self.init(
      account: try reader.require(account, field: 1), error: error, isLoop: isLoop, isPremature: isPremature)
  }
}
