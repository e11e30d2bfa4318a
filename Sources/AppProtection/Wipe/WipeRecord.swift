import EventSourcing
import WireFormat

/// The last wipe of an account: under way, or done.
public struct WipeRecord: AccountRecord {
  /// The account.
  public let account: AccountNumber
  /// How far it is.
  public internal(set) var phase = WipePhase.requested
  /// Why, as a number.
  public internal(set) var reason: WipeReason
  /// Who ordered it.
  public internal(set) var origin: WipeOrigin
  /// Whether the service is told that the account leaves once the data is gone.
  public internal(set) var precedesUnenrollment = false
  /// The event that ordered it.
  public internal(set) var requestedBy: UInt64
  /// How many files the engine has removed.
  public internal(set) var filesRemoved: UInt64 = 0
  /// What the file system said when files were left; it may name a person.
  public internal(set) var lastError = ""
  /// When the removal of the files that were left is tried again, by both clocks; a launch does not wait for it.
  public internal(set) var retryDue: DueTime?

  /// When the removal of the files that were left is tried again, in nanoseconds since 1970.
  public var nextRetry: Int64? { retryDue?.wall }

  init(account: AccountNumber, reason: WipeReason, origin: WipeOrigin, requestedBy: UInt64) {
    self.account = account
    self.reason = reason
    self.origin = origin
    self.requestedBy = requestedBy
  }

  /// Writes the record in its canonical form: equal records give equal bytes.
  public func encode(into writer: inout WireWriter) {
    writer.write(1, account: account)
    writer.write(2, enumeration: phase)
    writer.write(3, unsigned: UInt64(reason.rawValue))
    writer.write(4, enumeration: origin)
    writer.write(5, unsigned: requestedBy)
    writer.write(6, unsigned: filesRemoved)
    writer.write(7, string: lastError)
    writer.write(8, due: retryDue)
    writer.write(9, bool: precedesUnenrollment)
  }

  /// Reads what `encode(into:)` wrote; fields that nobody knows are skipped.
  public init(from reader: inout WireReader) throws(WireError) {
    var account: AccountNumber?
    var read = WipeRecord(account: .first, reason: .unspecified, origin: .service, requestedBy: 0)
    while let field = try reader.nextField() {
      switch field.number {
      case 1: account = try reader.account(field)
      case 2: read.phase = try reader.enumeration(field, as: WipePhase.self)
      case 3: read.reason = WipeReason(rawValue: try reader.unsigned(field, as: UInt32.self))
      case 4: read.origin = try reader.enumeration(field, as: WipeOrigin.self)
      case 5: read.requestedBy = try reader.unsigned(field)
      case 6: read.filesRemoved = try reader.unsigned(field)
      case 7: read.lastError = try reader.string(field)
      case 8: read.retryDue = try reader.due(field)
      case 9: read.precedesUnenrollment = try reader.bool(field)
      default: try reader.skip(field)
      }
    }
    self.init(
      account: try reader.require(account, field: 1), reason: read.reason, origin: read.origin,
      requestedBy: read.requestedBy)
    phase = read.phase
    filesRemoved = read.filesRemoved
    lastError = read.lastError
    retryDue = read.retryDue
    precedesUnenrollment = read.precedesUnenrollment
  }

  /// The record for people.
  public func tree() -> StateTree {
    .members([
      .init("status", .name(phase.name)),
      .init("reason", .name(reason.name)),
      .init("origin", .name(origin.name)),
      .init("precedesUnenrollment", .bool(precedesUnenrollment)),
      .init("requestedBy", .pending(requestedBy)),
      .init("filesRemoved", .integer(Int64(clamping: filesRemoved))),
      .init("lastError", lastError.isEmpty ? .unset : .personal(lastError, .account)),
      .init("nextRetry", nextRetry.map { .time($0) } ?? .unset),
      .init("dueElapsed", retryDue.map { .duration($0.elapsed) } ?? .unset),
    ])
  }
}
