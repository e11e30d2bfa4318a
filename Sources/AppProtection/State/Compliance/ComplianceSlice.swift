import EventSourcing

/// The accounts' standing with conditional access, and the queue of their remediations.
public struct ComplianceSlice: FieldList {
  /// The accounts with a token refusal or a remediation.
  public internal(set) var accounts = AccountTable<RemediationRecord>()
  /// The accounts whose remediation is under way or queued, first come, first served. At most the first is under way.
  public internal(set) var queue: [AccountNumber] = []
  /// The ended remediations that the app has not been notified of, oldest first; only the last of each account.
  public internal(set) var untold: [UntoldRemediation] = []

  init() {}

  /// Whether a remediation of the account is under way or queued; apps get the answer of
  /// ``AppProtectionState/remediationInProgress(_:)``.
  public func isInProgress(_ account: AccountNumber) -> Bool {
    queue.contains(account)
  }

  /// The account whose remediation is under way.
  public var active: AccountNumber? { queue.first }

  /// The queue, and the records by account name.
  public func tree() -> StateTree {
    var members: [StateTree.Member] = [
      .init("queue", queue.isEmpty ? .unset : .list(queue.map { .name($0.description) })),
      .init(
        "untold",
        untold.isEmpty ? .value(.unset) : .members(untold.map { .init($0.account.description, $0.tree()) })),
    ]
    if case .members(let records) = accounts.tree() { members += records }
    return .members(members)
  }

  /// Compares the trees, without the records that both have.
  public func compare(with later: Self, at place: StatePlace, _ differ: StateDiffer) {
    var (one, other) = (self, later)
    AccountTable.leaveOutCommonRecords(&one.accounts, &other.accounts)
    differ.compare(one.tree(), other.tree(), at: place)
  }

  /// The value that decoding starts from.
  public static var blank: Self { Self() }

  public static func visit<V: FieldVisitor>(_ compliance: inout Self, _ field: inout V) throws(V.Failure) {
    try compliance.accounts.visit(1, "accounts", &field)
    try field(2, "queue", &compliance.queue)
    try field(3, "untold", &compliance.untold)
  }
}
