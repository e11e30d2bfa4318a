import EventSourcing
import WireFormat

/// What a slice of the state keeps about one account.
public protocol AccountRecord: Equatable, Sendable {
  /// The account.
  var account: AccountNumber { get }

  /// Writes the record in its canonical form.
  func encode(into writer: inout WireWriter)

  /// Reads what ``encode(into:)`` wrote.
  init(from reader: inout WireReader) throws(WireError)

  /// The record for people.
  func tree() -> StateTree
}
