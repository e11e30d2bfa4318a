import EventSourcing
import WireFormat

/// `launch.signedIn`: the user signed in with the account because a launch condition asked for it.
public struct LaunchSignedIn: EventPayload {
  /// The account.
  public var account: AccountNumber

  /// Creates the event.
  public init(account: AccountNumber) {
    self.account = account
  }

  /// The entry of the catalogue.
  public static let descriptor = EventDescriptor(
    164, "launch.signedIn",
    body: MessageDescriptor(
      "LaunchSignedIn",
      [
        FieldDescriptor(1, "account", .account, .single, "the account")
      ]),
    meaning: "The user signed in with the account because a launch condition asked for it.")

  /// Writes the body, fields in the order of their numbers.
  public func encode(into writer: inout WireWriter) {
    writer.write(1, account: account)
  }

  /// Reads the body; fields that nobody knows are skipped.
  public init(from reader: inout WireReader) throws(WireError) {
    var account: AccountNumber?
    while let field = try reader.nextField() {
      switch field.number {
      case 1: account = try reader.account(field)
      default: try reader.skip(field)
      }
    }
    self.init(account: try reader.require(account, field: 1))
  }
}
