import EventSourcing
import WireFormat

/// `wipe.delegateAnswered`: the app's delegate was asked to wipe the account's data and answered.
public struct WipeDelegateAnswered: EventPayload {
  /// The account.
  public var account: AccountNumber
  /// Whether the delegate removed everything; otherwise the engine removes the account's files.
  public var removedEverything: Bool

  /// Creates the event.
  public init(account: AccountNumber, removedEverything: Bool = false) {
    self.account = account
    self.removedEverything = removedEverything
  }

  /// The entry of the catalogue.
  public static let descriptor = EventDescriptor(
    121, "wipe.delegateAnswered",
    body: MessageDescriptor(
      "WipeDelegateAnswered",
      [
        FieldDescriptor(1, "account", .account, .single, "the account"),
        FieldDescriptor(
          2, "removedEverything", .bool, .single,
          "whether the delegate removed everything; otherwise the engine removes the account's files"),
      ]),
    meaning: "The app's delegate was asked to wipe the account's data and answered.")

  /// Writes the body, fields in the order of their numbers.
  public func encode(into writer: inout WireWriter) {
    writer.write(1, account: account)
    writer.write(2, bool: removedEverything)
  }

  /// Reads the body; fields that nobody knows are skipped.
  public init(from reader: inout WireReader) throws(WireError) {
    var account: AccountNumber?
    var removedEverything = false
    while let field = try reader.nextField() {
      switch field.number {
      case 1: account = try reader.account(field)
      case 2: removedEverything = try reader.bool(field)
      default: try reader.skip(field)
      }
    }
    self.init(
      account: try reader.require(account, field: 1), removedEverything: removedEverything)
  }
}
