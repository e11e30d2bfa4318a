import EventSourcing
import WireFormat

/// Where the accounts stand with conditional access, and the queue of their remediations.
public struct ComplianceSlice: Equatable, Sendable {
  /// The accounts for which something was asked.
  public internal(set) var accounts = AccountTable<RemediationRecord>()
  /// The accounts whose remediation is under way or waits, first come, first served. At most the first is under way.
  public internal(set) var queue: [AccountNumber] = []

  init() {}

  /// Whether a remediation of the account is under way or waits; ``AppProtectionState/remediationInProgress(_:)`` is what
  /// an app is told.
  public func isInProgress(_ account: AccountNumber) -> Bool {
    queue.contains(account)
  }

  /// The account whose remediation is under way.
  public var active: AccountNumber? { queue.first }

  func encode(into writer: inout WireWriter) {
    accounts.encode(1, into: &writer)
    for account in queue { writer.write(2, account: account) }
  }

  init(from reader: inout WireReader) throws(WireError) {
    while let field = try reader.nextField() {
      switch field.number {
      case 1: try accounts.decodeElement(field, from: &reader)
      case 2: queue.append(try reader.require(try reader.account(field), field: 2))
      default: try reader.skip(field)
      }
    }
  }

  func tree() -> StateTree {
    var members: [StateTree.Member] = [
      .init("queue", queue.isEmpty ? .unset : .list(queue.map { .name($0.description) }))
    ]
    if case .members(let records) = accounts.tree() { members += records }
    return .members(members)
  }
}
