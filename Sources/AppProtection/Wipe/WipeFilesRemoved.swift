import EventSourcing
import WireFormat

/// `wipe.filesRemoved`: the engine removed every file that belonged to the account.
public struct WipeFilesRemoved: EventPayload {
  /// The account.
  public var account: AccountNumber
  /// How many files were removed.
  public var count: UInt64

  /// Creates the event.
  public init(account: AccountNumber, count: UInt64 = 0) {
    self.account = account
    self.count = count
  }

  /// The entry of the catalogue.
  public static let descriptor = EventDescriptor(
    122, "wipe.filesRemoved",
    body: MessageDescriptor(
      "WipeFilesRemoved",
      [
        FieldDescriptor(1, "account", .account, .single, "the account"),
        FieldDescriptor(2, "count", .unsigned, .single, "how many files were removed"),
      ]),
    meaning: "The engine removed every file that belonged to the account.")

  /// Writes the body, fields in the order of their numbers.
  public func encode(into writer: inout WireWriter) {
    writer.write(1, account: account)
    writer.write(2, unsigned: count)
  }

  /// Reads the body; fields that nobody knows are skipped.
  public init(from reader: inout WireReader) throws(WireError) {
    var account: AccountNumber?
    var count: UInt64 = 0
    while let field = try reader.nextField() {
      switch field.number {
      case 1: account = try reader.account(field)
      case 2: count = try reader.unsigned(field)
      default: try reader.skip(field)
      }
    }
    self.init(
      account: try reader.require(account, field: 1), count: count)
  }
}
