import EventSourcing
import WireFormat

/// `pin.verified`: the user entered the PIN that was chosen, or gave biometrics in its place.
public struct PINVerified: EventPayload {
  /// The account.
  public var account: AccountNumber
  /// Whether biometrics took the place of the PIN.
  public var byBiometrics: Bool

  /// Creates the event.
  public init(account: AccountNumber, byBiometrics: Bool = false) {
    self.account = account
    self.byBiometrics = byBiometrics
  }

  /// The entry of the catalogue.
  public static let descriptor = EventDescriptor(
    166, "pin.verified",
    body: MessageDescriptor(
      "PINVerified",
      [
        FieldDescriptor(1, "account", .account, .single, "the account"),
        FieldDescriptor(2, "byBiometrics", .bool, .single, "whether biometrics took the place of the PIN"),
      ]),
    meaning: "The user entered the PIN that was chosen, or gave biometrics in its place.")

  /// Writes the body, fields in the order of their numbers.
  public func encode(into writer: inout WireWriter) {
    writer.write(1, account: account)
    writer.write(2, bool: byBiometrics)
  }

  /// Reads the body; fields that nobody knows are skipped.
  public init(from reader: inout WireReader) throws(WireError) {
    var account: AccountNumber?
    var byBiometrics = false
    while let field = try reader.nextField() {
      switch field.number {
      case 1: account = try reader.account(field)
      case 2: byBiometrics = try reader.bool(field)
      default: try reader.skip(field)
      }
    }
    self.init(account: try reader.require(account, field: 1), byBiometrics: byBiometrics)
  }
}
