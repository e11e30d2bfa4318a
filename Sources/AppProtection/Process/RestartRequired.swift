import EventSourcing
import WireFormat

/// `restart.required`: the app must be restarted before something takes effect.
public struct RestartRequired: EventPayload {
  /// Why the app must be restarted.
  public var reason: RestartReason
  /// The account because of which, where there is one.
  public var account: AccountNumber?

  /// Creates the event.
  public init(reason: RestartReason = .firstPolicy, account: AccountNumber? = nil) {
    self.reason = reason
    self.account = account
  }

  /// The entry of the catalogue.
  public static let descriptor = EventDescriptor(
    3, "restart.required",
    body: MessageDescriptor(
      "RestartRequired",
      [
        FieldDescriptor(1, "reason", .enumeration(RestartReason.descriptor), .single, "why the app must be restarted"),
        FieldDescriptor(2, "account", .account, .single, "the account because of which, where there is one"),
      ]),
    meaning: "The app must be restarted before something takes effect.",
    remedy: "Restart the app. Until then the new policy is not enforced.")

  /// Writes the body, fields in the order of their numbers.
  public func encode(into writer: inout WireWriter) {
    writer.write(1, enumeration: reason)
    writer.write(2, account: account)
  }

  /// Reads the body; fields that nobody knows are skipped.
  public init(from reader: inout WireReader) throws(WireError) {
    var reason = RestartReason.firstPolicy
    var account: AccountNumber?
    while let field = try reader.nextField() {
      switch field.number {
      case 1: reason = try reader.enumeration(field, as: RestartReason.self)
      case 2: account = try reader.account(field)
      default: try reader.skip(field)
      }
    }
    self.init(
      reason: reason, account: account)
  }
}
