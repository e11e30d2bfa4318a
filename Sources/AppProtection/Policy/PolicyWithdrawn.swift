import EventSourcing
import WireFormat

/// `policy.withdrawn`: the account has no policy any more; its data stays.
public struct PolicyWithdrawn: EventPayload {
  /// The account.
  public var account: AccountNumber
  /// Why the account lost its policy.
  public var reason: PolicyWithdrawalReason
  /// When the service is to be asked again; absent when it is not.
  public var nextCheckIn: Int64?

  /// Creates the event.
  public init(account: AccountNumber, reason: PolicyWithdrawalReason = .untargeted, nextCheckIn: Int64? = nil) {
    self.account = account
    self.reason = reason
    self.nextCheckIn = nextCheckIn
  }

  /// The entry of the catalogue.
  public static let descriptor = EventDescriptor(
    81, "policy.withdrawn",
    body: MessageDescriptor(
      "PolicyWithdrawn",
      [
        FieldDescriptor(1, "account", .account, .single, "the account"),
        FieldDescriptor(
          2, "reason", .enumeration(PolicyWithdrawalReason.descriptor), .single,
          "why the account lost its policy"),
        FieldDescriptor(
          3, "nextCheckIn", .time, .optional,
          "when the service is to be asked again; absent when it is not"),
      ]),
    meaning: "The account has no policy any more; its data stays.")

  /// Writes the body, fields in the order of their numbers.
  public func encode(into writer: inout WireWriter) {
    writer.write(1, account: account)
    writer.write(2, enumeration: reason)
    writer.write(3, time: nextCheckIn)
  }

  /// Reads the body; fields that nobody knows are skipped.
  public init(from reader: inout WireReader) throws(WireError) {
    var account: AccountNumber?
    var reason = PolicyWithdrawalReason.untargeted
    var nextCheckIn: Int64?
    while let field = try reader.nextField() {
      switch field.number {
      case 1: account = try reader.account(field)
      case 2: reason = try reader.enumeration(field, as: PolicyWithdrawalReason.self)
      case 3: nextCheckIn = try reader.fixed(field)
      default: try reader.skip(field)
      }
    }
    self.init(
      account: try reader.require(account, field: 1), reason: reason, nextCheckIn: nextCheckIn)
  }
}
