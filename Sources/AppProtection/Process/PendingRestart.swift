import EventSourcing
import WireFormat

/// A restart that something waits for.
public struct PendingRestart: Equatable, Sendable {
  /// Why.
  public internal(set) var reason: RestartReason
  /// The account because of which, where there is one.
  public internal(set) var account: AccountNumber?
  /// The event that asked for it.
  public internal(set) var requestedBy: UInt64
  /// What the delegate or the user answered.
  public internal(set) var answer = RestartAnswer.none
  /// When a postponed restart is due, by both clocks.
  public internal(set) var dueTime: DueTime?

  /// When a postponed restart is due, in nanoseconds since 1970.
  public var due: Int64? { dueTime?.wall }

  init(reason: RestartReason, account: AccountNumber?, requestedBy: UInt64) {
    self.reason = reason
    self.account = account
    self.requestedBy = requestedBy
  }

  func encode(into writer: inout WireWriter) {
    writer.write(1, enumeration: reason)
    writer.write(2, account: account)
    writer.write(3, unsigned: requestedBy)
    writer.write(4, enumeration: answer)
    writer.write(5, due: dueTime)
  }

  init(from reader: inout WireReader) throws(WireError) {
    self.init(reason: .firstPolicy, account: nil, requestedBy: 0)
    while let field = try reader.nextField() {
      switch field.number {
      case 1: reason = try reader.enumeration(field, as: RestartReason.self)
      case 2: account = try reader.account(field)
      case 3: requestedBy = try reader.unsigned(field)
      case 4: answer = try reader.enumeration(field, as: RestartAnswer.self)
      case 5: dueTime = try reader.due(field)
      default: try reader.skip(field)
      }
    }
  }

  func tree() -> StateTree {
    .members([
      .init("reason", .name(reason.name)),
      .init("account", account.map { .name($0.description) } ?? .unset),
      .init("requestedBy", .pending(requestedBy)),
      .init("answer", .name(answer.name)),
      .init("due", due.map { .time($0) } ?? .unset),
      .init("dueElapsed", dueTime.map { .duration($0.elapsed) } ?? .unset),
    ])
  }
}
