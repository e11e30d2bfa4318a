import EventSourcing
import WireFormat

/// `command.refused`: the rules refused a command of the app. Written only where the engine is asked to, and at most
/// so often in a process.
public struct CommandRefused: EventPayload, Hashable {
  /// What the app asked for, by the name of the call or command.
  public var command: String
  /// The rule that refused it.
  public var rule: String
  /// The status code that the app's enrollment delegate got for it, where it got one.
  public var code: EnrollmentStatusCode?
  /// The account that it named, where the journal knows it.
  public var account: AccountNumber?

  /// Creates the event.
  public init(command: String, rule: String, code: EnrollmentStatusCode? = nil, account: AccountNumber? = nil) {
    self.command = command
    self.rule = rule
    self.code = code
    self.account = account
  }

  /// The entry of the catalogue.
  public static let descriptor = EventDescriptor(
    6, "command.refused", unknownReaders: .ignorable,
    body: MessageDescriptor(
      "CommandRefused",
      [
        FieldDescriptor(1, "command", .string, .single, "what the app asked for, by the name of the call"),
        FieldDescriptor(2, "rule", .string, .single, "the rule that refused it"),
        FieldDescriptor(
          3, "code", .enumeration(EnrollmentStatusCode.descriptor), .optional,
          "the status code that the enrollment delegate got for it, where it got one"),
        FieldDescriptor(
          4, "account", .account, .optional, "the account that it named, where the journal knows it"),
      ]),
    meaning: "The rules refused a command of the app.",
    remedy: "Look the rule up, and let the app ask at another time, or for another account.")

  /// Writes the body, fields in the order of their numbers.
  public func encode(into writer: inout WireWriter) {
    writer.write(1, string: command)
    writer.write(2, string: rule)
    if let code { writer.writePresent(3, unsigned: UInt64(code.rawValue)) }
    writer.write(4, account: account)
  }

  /// Reads the body; unknown fields are skipped.
  public init(from reader: inout WireReader) throws(WireError) {
    self.init(command: "", rule: "")
    while let field = try reader.nextField() {
      switch field.number {
      case 1: command = try reader.string(field)
      case 2: rule = try reader.string(field)
      case 3: code = EnrollmentStatusCode(rawValue: try reader.unsigned(field, as: UInt32.self))
      case 4: account = try reader.account(field)
      default: try reader.skip(field)
      }
    }
  }
}
