import EventSourcing
import WireFormat

/// `allowedAccounts.changed`: device management restricts which accounts may sign in, or lifts the restriction.
public struct AllowedAccountsChanged: EventPayload {
  /// Whether only the listed accounts may sign in; false lets everybody in.
  public var isRestricted: Bool
  /// The accounts that may sign in.
  public var accounts: [AccountNumber]

  /// Creates the event.
  public init(isRestricted: Bool = false, accounts: [AccountNumber] = []) {
    self.isRestricted = isRestricted
    self.accounts = accounts
  }

  /// The entry of the catalogue.
  public static let descriptor = EventDescriptor(
    11, "allowedAccounts.changed",
    body: MessageDescriptor(
      "AllowedAccountsChanged",
      [
        FieldDescriptor(
          1, "isRestricted", .bool, .single,
          "whether only the listed accounts may sign in; false lets everybody in"),
        FieldDescriptor(2, "accounts", .account, .repeated, "the accounts that may sign in"),
      ]),
    meaning: "Device management restricts which accounts may sign in, or lifts the restriction.",
    remedy: "Sign out every account that is not in the list.")

  /// Writes the body, fields in the order of their numbers.
  public func encode(into writer: inout WireWriter) {
    writer.write(1, bool: isRestricted)
    for account in accounts { writer.write(2, account: account) }
  }

  /// Reads the body; fields that nobody knows are skipped.
  public init(from reader: inout WireReader) throws(WireError) {
    var isRestricted = false
    var accounts: [AccountNumber] = []
    while let field = try reader.nextField() {
      switch field.number {
      case 1: isRestricted = try reader.bool(field)
      case 2: accounts.append(try reader.require(try reader.account(field), field: 2))
      default: try reader.skip(field)
      }
    }
    self.init(
      isRestricted: isRestricted, accounts: accounts)
  }
}
