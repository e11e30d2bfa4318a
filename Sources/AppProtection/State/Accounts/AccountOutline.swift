import EventSourcing

/// What is known of some accounts together. By it, rules find the few that concern them among many.
public struct AccountOutline: TableOutline {
  /// Whether one of them must be the only managed account.
  private(set) var isExclusive = false
  /// Whether the service or the user was asked about one of them and has not answered.
  private(set) var isAsking = false
  /// When work for one of them is due at the earliest, by each of the clocks; `nil` if none is scheduled.
  private(set) var due: DueTime?

  /// The outline of no accounts.
  public init() {}

  /// The outline of one account.
  init(of account: Account) {
    isExclusive = account.isExclusive
    isAsking = account.isAsking
    due = account.enrollment.due
  }

  /// Adds other accounts.
  public mutating func formUnion(_ other: AccountOutline) {
    isExclusive = isExclusive || other.isExclusive
    isAsking = isAsking || other.isAsking
    guard let next = other.due else { return }
    due = due.map { DueTime(wall: min($0.wall, next.wall), elapsed: min($0.elapsed, next.elapsed)) } ?? next
  }
}
