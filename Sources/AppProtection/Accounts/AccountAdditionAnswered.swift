import EventSourcing
import WireFormat

/// `account.additionAnswered`: the app said whether it added the account.
public struct AccountAdditionAnswered: EventPayload {
  /// The account.
  public var account: AccountNumber
  /// What the app answered.
  public var result: AddIdentityResult

  /// Creates the event.
  public init(account: AccountNumber, result: AddIdentityResult = .success) {
    self.account = account
    self.result = result
  }

  /// The entry of the catalogue.
  public static let descriptor = EventDescriptor(
    28, "account.additionAnswered",
    body: MessageDescriptor(
      "AccountAdditionAnswered",
      [
        FieldDescriptor(1, "account", .account, .single, "the account"),
        FieldDescriptor(2, "result", .enumeration(AddIdentityResult.descriptor), .single, "what the app answered"),
      ]),
    meaning: "The app said whether it added the account that the engine enrolled.",
    remedy: "Where it failed, add the account or deregister it: its policy is there, and the user cannot reach it.")

  /// Writes the body, fields in the order of their numbers.
  public func encode(into writer: inout WireWriter) {
    writer.write(1, account: account)
    writer.write(2, enumeration: result)
  }

  /// Reads the body; fields that nobody knows are skipped.
  public init(from reader: inout WireReader) throws(WireError) {
    var account: AccountNumber?
    var result = AddIdentityResult.success
    while let field = try reader.nextField() {
      switch field.number {
      case 1: account = try reader.account(field)
      case 2: result = try reader.enumeration(field, as: AddIdentityResult.self)
      default: try reader.skip(field)
      }
    }
    self.init(account: try reader.require(account, field: 1), result: result)
  }
}
