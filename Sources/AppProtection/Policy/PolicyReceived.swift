import EventSourcing
import WireFormat

/// `policy.received`: the service delivered a policy for the account.
public struct PolicyReceived: EventPayload {
  /// The account.
  public var account: AccountNumber
  /// The policy.
  public var document: PolicyDocument
  /// Whether it is enforced only from the next launch on.
  public var waitsForRestart: Bool
  /// When the service is to be asked again.
  public var nextCheckIn: Int64?

  /// Creates the event.
  public init(
    account: AccountNumber, document: PolicyDocument, waitsForRestart: Bool = false, nextCheckIn: Int64? = nil
  ) {
    self.account = account
    self.document = document
    self.waitsForRestart = waitsForRestart
    self.nextCheckIn = nextCheckIn
  }

  /// The entry of the catalogue.
  public static let descriptor = EventDescriptor(
    80, "policy.received",
    body: MessageDescriptor(
      "PolicyReceived",
      [
        FieldDescriptor(1, "account", .account, .single, "the account"),
        FieldDescriptor(2, "document", .message(PolicyDocument.descriptor), .single, "the policy"),
        FieldDescriptor(3, "waitsForRestart", .bool, .single, "whether it is enforced only from the next launch on"),
        FieldDescriptor(4, "nextCheckIn", .time, .optional, "when the service is to be asked again"),
      ]),
    meaning: "The service delivered a policy for the account.")

  /// Writes the body, fields in the order of their numbers.
  public func encode(into writer: inout WireWriter) {
    writer.write(1, account: account)
    writer.write(2) { document.encode(into: &$0) }
    writer.write(3, bool: waitsForRestart)
    writer.write(4, time: nextCheckIn)
  }

  /// Reads the body; fields that nobody knows are skipped.
  public init(from reader: inout WireReader) throws(WireError) {
    var account: AccountNumber?
    var document: PolicyDocument?
    var waitsForRestart = false
    var nextCheckIn: Int64?
    while let field = try reader.nextField() {
      switch field.number {
      case 1: account = try reader.account(field)
      case 2:
        document = try reader.message(field) { (inner) throws(WireError) in
          try PolicyDocument(from: &inner)
        }
      case 3: waitsForRestart = try reader.bool(field)
      case 4: nextCheckIn = try reader.fixed(field)
      default: try reader.skip(field)
      }
    }
    self.init(
      account: try reader.require(account, field: 1), document: try reader.require(document, field: 2),
      waitsForRestart: waitsForRestart, nextCheckIn: nextCheckIn)
  }
}
