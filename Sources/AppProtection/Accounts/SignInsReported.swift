import EventSourcing
import WireFormat

/// `signIns.reported`: the app said which accounts are signed in.
public struct SignInsReported: EventPayload {
  /// The accounts that are signed in, all of them.
  public var accounts: [AccountNumber]
  /// Those of them that the app uses for work or school.
  public var workOrSchool: [AccountNumber]

  /// Creates the event.
  public init(accounts: [AccountNumber] = [], workOrSchool: [AccountNumber] = []) {
    self.accounts = accounts
    self.workOrSchool = workOrSchool
  }

  /// The entry of the catalogue.
  public static let descriptor = EventDescriptor(
    29, "signIns.reported",
    body: MessageDescriptor(
      "SignInsReported",
      [
        FieldDescriptor(1, "accounts", .account, .repeated, "the accounts that are signed in, all of them"),
        FieldDescriptor(
          2, "workOrSchool", .account, .repeated, "those of them that the app uses for work or school"),
      ]),
    meaning: "The app said which accounts are signed in.",
    remedy: "Register those used for work or school, and sign out those that are not allowed.")

  /// Writes the body, fields in the order of their numbers.
  public func encode(into writer: inout WireWriter) {
    for account in accounts { writer.write(1, account: account) }
    for account in workOrSchool { writer.write(2, account: account) }
  }

  /// Reads the body; fields that nobody knows are skipped.
  public init(from reader: inout WireReader) throws(WireError) {
    var accounts: [AccountNumber] = []
    var workOrSchool: [AccountNumber] = []
    while let field = try reader.nextField() {
      switch field.number {
      case 1: accounts.append(try reader.require(try reader.account(field), field: 1))
      case 2: workOrSchool.append(try reader.require(try reader.account(field), field: 2))
      default: try reader.skip(field)
      }
    }
    self.init(accounts: accounts, workOrSchool: workOrSchool)
  }
}
