import WireFormat

/// What an event carries that says nothing but which account it is about.
public protocol AccountEventPayload: EventPayload {
  /// The account.
  var account: AccountNumber { get }

  /// Creates the event.
  init(account: AccountNumber)
}

extension AccountEventPayload {
  /// Writes the body: the account is field 1.
  public func encode(into writer: inout WireWriter) {
    writer.write(1, account: account)
  }

  /// Reads the body; fields that nobody knows are skipped.
  public init(from reader: inout WireReader) throws(WireError) {
    var account: AccountNumber?
    while let field = try reader.nextField() {
      switch field.number {
      case 1: account = try reader.account(field)
      default: try reader.skip(field)
      }
    }
    self.init(account: try reader.require(account, field: 1))
  }
}
