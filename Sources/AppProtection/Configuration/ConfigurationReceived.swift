import EventSourcing
import WireFormat

/// `configuration.received`: the service delivered the configuration of an account.
public struct ConfigurationReceived: EventPayload {
  /// The account.
  public var account: AccountNumber
  /// What was delivered, in its order.
  public var entries: [ConfigurationEntry]

  /// Creates the event.
  public init(account: AccountNumber, entries: [ConfigurationEntry] = []) {
    self.account = account
    self.entries = entries
  }

  /// The entry of the catalogue.
  public static let descriptor = EventDescriptor(
    82, "configuration.received",
    body: MessageDescriptor(
      "ConfigurationReceived",
      [
        FieldDescriptor(1, "account", .account, .single, "the account"),
        FieldDescriptor(
          2, "entries", .message(ConfigurationEntry.descriptor), .repeated, "what was delivered, in its order"),
      ]),
    meaning: "The service delivered the configuration of an account; it applies at once.")

  /// Writes the body, fields in the order of their numbers.
  public func encode(into writer: inout WireWriter) {
    writer.write(1, account: account)
    for element in entries { writer.write(2) { element.encode(into: &$0) } }
  }

  /// Reads the body; fields that nobody knows are skipped.
  public init(from reader: inout WireReader) throws(WireError) {
    var account: AccountNumber?
    var entries: [ConfigurationEntry] = []
    while let field = try reader.nextField() {
      switch field.number {
      case 1: account = try reader.account(field)
      case 2:
        entries.append(
          try reader.message(field) { (inner) throws(WireError) in try ConfigurationEntry(from: &inner) })
      default: try reader.skip(field)
      }
    }
    self.init(account: try reader.require(account, field: 1), entries: entries)
  }
}
