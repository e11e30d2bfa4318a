import EventSourcing
import WireFormat

/// `remediation.finished`: the remediation of the account ended.
public struct RemediationFinished: EventPayload {
  /// The account.
  public var account: AccountNumber
  /// How it ended.
  public var status: ComplianceStatus
  /// The text that the service wants shown.
  public var message: String
  /// The title of that text.
  public var title: String
  /// Whether a remediation with interaction again ended in the demand for interaction.
  public var isLoop: Bool
  /// Whether the app is still to be told; it was told with the event itself in journals before revision 4, which do not say so.
  public var awaitsNotice: Bool

  /// Creates the event.
  public init(
    account: AccountNumber, status: ComplianceStatus = .compliant, message: String = "", title: String = "",
    isLoop: Bool = false, awaitsNotice: Bool = false
  ) {
    self.account = account
    self.status = status
    self.message = message
    self.title = title
    self.isLoop = isLoop
    self.awaitsNotice = awaitsNotice
  }

  /// The entry of the catalogue.
  public static let descriptor = EventDescriptor(
    144, "remediation.finished",
    body: MessageDescriptor(
      "RemediationFinished",
      [
        FieldDescriptor(1, "account", .account, .single, "the account"),
        FieldDescriptor(2, "status", .enumeration(ComplianceStatus.descriptor), .single, "how it ended"),
        FieldDescriptor(3, "message", .string, .single, privacy: .account, "the text that the service wants shown"),
        FieldDescriptor(4, "title", .string, .single, privacy: .account, "the title of that text"),
        FieldDescriptor(
          5, "isLoop", .bool, .single,
          "whether a remediation with interaction again ended in the demand for interaction"),
        FieldDescriptor(
          6, "awaitsNotice", .bool, .single,
          "whether the app is still to be told; absent before revision 4, when it was told with the event itself"),
      ]),
    meaning: "The remediation of the account ended.",
    remedy: "Compliant: request the token again. Not compliant with organization data present: wipe the account.")

  /// Writes the body, fields in the order of their numbers.
  public func encode(into writer: inout WireWriter) {
    writer.write(1, account: account)
    writer.write(2, enumeration: status)
    writer.write(3, string: message)
    writer.write(4, string: title)
    writer.write(5, bool: isLoop)
    writer.write(6, bool: awaitsNotice)
  }

  /// Reads the body; unknown fields are skipped.
  public init(from reader: inout WireReader) throws(WireError) {
    var account: AccountNumber?
    var status = ComplianceStatus.compliant
    var message = ""
    var title = ""
    var isLoop = false
    var awaitsNotice = false
    while let field = try reader.nextField() {
      switch field.number {
      case 1: account = try reader.account(field)
      case 2: status = try reader.enumeration(field, as: ComplianceStatus.self)
      case 3: message = try reader.string(field)
      case 4: title = try reader.string(field)
      case 5: isLoop = try reader.bool(field)
      case 6: awaitsNotice = try reader.bool(field)
      default: try reader.skip(field)
      }
    }
    self.init(
      account: try reader.require(account, field: 1), status: status, message: message, title: title, isLoop: isLoop,
      awaitsNotice: awaitsNotice)
  }
}
