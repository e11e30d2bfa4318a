import EventSourcing
import WireFormat

/// A remediation that has ended and of which the app has not been told.
///
/// It outlives the process, and also the account's registration: every remediation that the app asked for ends with a callback.
public struct UntoldRemediation: Equatable, Sendable {
  /// The account.
  public let account: AccountNumber
  /// How it ended.
  public let status: ComplianceStatus
  /// The text that the service wants shown; empty when there is none.
  public let message: String
  /// The title of that text; empty when there is none.
  public let title: String
  /// The event with which it ended.
  public let finishedBy: UInt64

  init(_ event: RemediationFinished, finishedBy: UInt64) {
    account = event.account
    status = event.status
    message = event.message
    title = event.title
    self.finishedBy = finishedBy
  }

  func encode(into writer: inout WireWriter) {
    writer.write(1, account: account)
    writer.write(2, enumeration: status)
    writer.write(3, string: message)
    writer.write(4, string: title)
    writer.write(5, unsigned: finishedBy)
  }

  init(from reader: inout WireReader) throws(WireError) {
    var account: AccountNumber?
    var (status, message, title) = (ComplianceStatus.compliant, "", "")
    var finishedBy: UInt64 = 0
    while let field = try reader.nextField() {
      switch field.number {
      case 1: account = try reader.account(field)
      case 2: status = try reader.enumeration(field, as: ComplianceStatus.self)
      case 3: message = try reader.string(field)
      case 4: title = try reader.string(field)
      case 5: finishedBy = try reader.unsigned(field)
      default: try reader.skip(field)
      }
    }
    self.init(
      RemediationFinished(
        account: try reader.require(account, field: 1), status: status, message: message, title: title),
      finishedBy: finishedBy)
  }

  func tree() -> StateTree {
    .members([
      .init("status", .name(status.name)),
      .init("message", message.isEmpty ? .unset : .personal(message, .account)),
      .init("title", title.isEmpty ? .unset : .personal(title, .account)),
      .init("finishedBy", .pending(finishedBy)),
    ])
  }
}
