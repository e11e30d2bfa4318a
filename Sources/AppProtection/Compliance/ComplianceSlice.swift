import EventSourcing
import WireFormat

/// Where the accounts stand with conditional access, and the queue of their remediations.
public struct ComplianceSlice: Equatable, Sendable {
  /// The accounts for which something was asked.
  public internal(set) var accounts = AccountTable<RemediationRecord>()
  /// The accounts whose remediation is under way or waits, first come, first served. At most the first is under way.
  public internal(set) var queue: [AccountNumber] = []
  /// The remediations that have ended and of which the app has not been told, oldest first; the last one of each account.
  public internal(set) var untold: [UntoldRemediation] = []

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
    for outcome in untold { writer.write(3) { outcome.encode(into: &$0) } }
  }

  init(from reader: inout WireReader) throws(WireError) {
    while let field = try reader.nextField() {
      switch field.number {
      case 1: try accounts.decodeElement(field, from: &reader)
      case 2: queue.append(try reader.require(try reader.account(field), field: 2))
      case 3:
        untold.append(
          try reader.message(field) { (inner) throws(WireError) in try UntoldRemediation(from: &inner) })
      default: try reader.skip(field)
      }
    }
  }

  func tree() -> StateTree {
    var members: [StateTree.Member] = [
      .init("queue", queue.isEmpty ? .unset : .list(queue.map { .name($0.description) })),
      .init(
        "untold",
        untold.isEmpty ? .value(.unset) : .members(untold.map { .init($0.account.description, $0.tree()) })),
    ]
    if case .members(let records) = accounts.tree() { members += records }
    return .members(members)
  }
}
