import EventSourcing
import WireFormat

/// `unenrollment.failed`: the service could not be told that the account leaves.
public struct UnenrollmentFailed: EventPayload {
  /// The account.
  public var account: AccountNumber
  /// The reason as a number.
  public var code: EnrollmentStatusCode
  /// What the service or the token library said, where it said something.
  public var error: String
  /// When it is tried again; absent when it is not.
  public var nextRetry: Int64?
  /// How many pauses in a row have been taken because of the network.
  public var backoffStep: UInt32
  /// Whether the account leaves all the same, and the service still counts it as enrolled.
  public var lingersAtService: Bool

  /// Creates the event.
  public init(
    account: AccountNumber, code: EnrollmentStatusCode, error: String = "", nextRetry: Int64? = nil,
    backoffStep: UInt32 = 0, lingersAtService: Bool = false
  ) {
    self.account = account
    self.code = code
    self.error = error
    self.nextRetry = nextRetry
    self.backoffStep = backoffStep
    self.lingersAtService = lingersAtService
  }

  /// The entry of the catalogue.
  public static let descriptor = EventDescriptor(
    62, "unenrollment.failed",
    body: MessageDescriptor(
      "UnenrollmentFailed",
      [
        FieldDescriptor(1, "account", .account, .single, "the account"),
        FieldDescriptor(2, "code", .enumeration(EnrollmentStatusCode.descriptor), .single, "the reason as a number"),
        FieldDescriptor(
          3, "error", .string, .single, privacy: .account,
          "what the service or the token library said, where it said something"),
        FieldDescriptor(4, "nextRetry", .time, .optional, "when it is tried again; absent when it is not"),
        FieldDescriptor(
          5, "backoffStep", .unsigned, .single,
          "how many pauses in a row have been taken because of the network"),
        FieldDescriptor(
          6, "lingersAtService", .bool, .single,
          "whether the account leaves all the same, and the service still counts it as enrolled"),
      ]),
    meaning: "The service could not be told that the account leaves.")

  /// Writes the body, fields in the order of their numbers.
  public func encode(into writer: inout WireWriter) {
    writer.write(1, account: account)
    writer.write(2, unsigned: UInt64(code.rawValue))
    writer.write(3, string: error)
    writer.write(4, time: nextRetry)
    writer.write(5, unsigned: UInt64(backoffStep))
    writer.write(6, bool: lingersAtService)
  }

  /// Reads the body; fields that nobody knows are skipped.
  public init(from reader: inout WireReader) throws(WireError) {
    var account: AccountNumber?
    var code = EnrollmentStatusCode(rawValue: 0)
    var error = ""
    var nextRetry: Int64?
    var backoffStep: UInt32 = 0
    var lingersAtService = false
    while let field = try reader.nextField() {
      switch field.number {
      case 1: account = try reader.account(field)
      case 2: code = EnrollmentStatusCode(rawValue: try reader.unsigned(field, as: UInt32.self))
      case 3: error = try reader.string(field)
      case 4: nextRetry = try reader.fixed(field)
      case 5: backoffStep = try reader.unsigned(field, as: UInt32.self)
      case 6: lingersAtService = try reader.bool(field)
      default: try reader.skip(field)
      }
    }
    self.init(
      account: try reader.require(account, field: 1), code: code, error: error, nextRetry: nextRetry,
      backoffStep: backoffStep, lingersAtService: lingersAtService)
  }
}
