import EventSourcing
import WireFormat

/// `wipe.failed`: some files of the account could not be removed (215); the wipe is resumed.
public struct WipeFailed: EventPayload {
  /// The account.
  public var account: AccountNumber
  /// How many files were removed.
  public var count: UInt64
  /// What the file system said.
  public var error: String

  /// Creates the event.
  public init(account: AccountNumber, count: UInt64 = 0, error: String = "") {
    self.account = account
    self.count = count
    self.error = error
  }

  /// The entry of the catalogue.
  public static let descriptor = EventDescriptor(
    124, "wipe.failed",
    body: MessageDescriptor(
      "WipeFailed",
      [
        FieldDescriptor(1, "account", .account, .single, "the account"),
        FieldDescriptor(2, "count", .unsigned, .single, "how many files were removed"),
        FieldDescriptor(3, "error", .string, .single, privacy: .account, "what the file system said"),
      ]),
    meaning: "Some files of the account could not be removed (215); the wipe is resumed.",
    remedy: "The wipe is taken up again at the next launch, or as soon as the files can be removed.")

  /// Writes the body, fields in the order of their numbers.
  public func encode(into writer: inout WireWriter) {
    writer.write(1, account: account)
    writer.write(2, unsigned: count)
    writer.write(3, string: error)
  }

  /// Reads the body; fields that nobody knows are skipped.
  public init(from reader: inout WireReader) throws(WireError) {
    var account: AccountNumber?
    var count: UInt64 = 0
    var error = ""
    while let field = try reader.nextField() {
      switch field.number {
      case 1: account = try reader.account(field)
      case 2: count = try reader.unsigned(field)
      case 3: error = try reader.string(field)
      default: try reader.skip(field)
      }
    }
    self.init(
      account: try reader.require(account, field: 1), count: count, error: error)
  }
}
