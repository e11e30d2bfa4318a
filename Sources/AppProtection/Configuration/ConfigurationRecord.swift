import EventSourcing
import WireFormat

/// The configuration that the service delivered for one account.
public struct ConfigurationRecord: AccountRecord {
  /// The account.
  public let account: AccountNumber
  /// What was delivered, in its order.
  public internal(set) var entries: [ConfigurationEntry]
  /// The event that delivered it.
  public internal(set) var receivedBy: UInt64

  init(account: AccountNumber, entries: [ConfigurationEntry], receivedBy: UInt64) {
    self.account = account
    self.entries = entries
    self.receivedBy = receivedBy
  }

  /// Writes the record in its canonical form: equal records give equal bytes.
  public func encode(into writer: inout WireWriter) {
    writer.write(1, account: account)
    for entry in entries { writer.write(2) { entry.encode(into: &$0) } }
    writer.write(3, unsigned: receivedBy)
  }

  /// Reads what `encode(into:)` wrote; fields that nobody knows are skipped.
  public init(from reader: inout WireReader) throws(WireError) {
    var account: AccountNumber?
    var entries: [ConfigurationEntry] = []
    var receivedBy: UInt64 = 0
    while let field = try reader.nextField() {
      switch field.number {
      case 1: account = try reader.account(field)
      case 2:
        entries.append(
          try reader.message(field) { (inner) throws(WireError) in try ConfigurationEntry(from: &inner) })
      case 3: receivedBy = try reader.unsigned(field)
      default: try reader.skip(field)
      }
    }
    self.init(account: try reader.require(account, field: 1), entries: entries, receivedBy: receivedBy)
  }

  /// The record for people.
  public func tree() -> StateTree {
    var members: [StateTree.Member] = [.init("receivedBy", .pending(receivedBy))]
    members += entries.enumerated().map { .init("\($0.offset + 1)", $0.element.tree()) }
    return .members(members)
  }
}
