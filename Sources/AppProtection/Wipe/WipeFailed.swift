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
  /// When the removal is tried again while this process runs; absent where only the next one tries.
  public var nextRetry: Int64?

  /// Creates the event.
  public init(account: AccountNumber, count: UInt64 = 0, error: String = "", nextRetry: Int64? = nil) {
    self.account = account
    self.count = count
    self.error = error
    self.nextRetry = nextRetry
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
        FieldDescriptor(
          4, "nextRetry", .time, .optional,
          "when the removal is tried again while this process runs; absent where only the next one tries"),
      ]),
    meaning: "Some files of the account could not be removed (215); the wipe is resumed.",
    remedy: "The wipe is taken up again every 30 minutes, when the user signs in, and at the next launch.")

  /// Writes the body, fields in the order of their numbers.
  public func encode(into writer: inout WireWriter) {
    writer.write(1, account: account)
    writer.write(2, unsigned: count)
    writer.write(3, string: error)
    writer.write(4, time: nextRetry)
  }

  /// Reads the body; fields that nobody knows are skipped.
  public init(from reader: inout WireReader) throws(WireError) {
    var account: AccountNumber?
    var count: UInt64 = 0
    var error = ""
    var nextRetry: Int64?
    while let field = try reader.nextField() {
      switch field.number {
      case 1: account = try reader.account(field)
      case 2: count = try reader.unsigned(field)
      case 3: error = try reader.string(field)
      case 4: nextRetry = try reader.fixed(field)
      default: try reader.skip(field)
      }
    }
    self.init(
      account: try reader.require(account, field: 1), count: count, error: error, nextRetry: nextRetry)
  }
}
