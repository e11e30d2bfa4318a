import EventSourcing
import WireFormat

/// `identity.switchAnswered`: the app's delegate answered a request to switch identity.
public struct IdentitySwitchAnswered: EventPayload {
  /// The process, the window or the thread.
  public var scope: IdentityScope
  /// Whose it should become.
  public var identity: Identity
  /// What the delegate answered.
  public var result: SwitchIdentityResult
  /// Whether the answer was a constant of ``AddIdentityResult``, whose number reads as ``result``.
  public var isAddIdentityResult: Bool

  /// Creates the event.
  public init(
    scope: IdentityScope, identity: Identity, result: SwitchIdentityResult = .success, isAddIdentityResult: Bool = false
  ) {
    self.scope = scope
    self.identity = identity
    self.result = result
    self.isAddIdentityResult = isAddIdentityResult
  }

  /// The entry of the catalogue.
  public static let descriptor = EventDescriptor(
    103, "identity.switchAnswered",
    body: MessageDescriptor(
      "IdentitySwitchAnswered",
      [
        FieldDescriptor(
          1, "scope", .message(IdentityScope.descriptor), .single,
          "the process, the window or the thread"),
        FieldDescriptor(2, "identity", .message(Identity.descriptor), .single, "whose it should become"),
        FieldDescriptor(
          3, "result", .enumeration(SwitchIdentityResult.descriptor), .single,
          "what the delegate answered"),
        FieldDescriptor(
          4, "isAddIdentityResult", .bool, .single,
          "whether the answer was a constant for added accounts, whose number reads so"),
      ]),
    meaning: "The app's delegate answered a request to switch identity.",
    remedy: "Answer a switch with the constants for switches: the one for an account that was not added reads as"
      + " canceled.")

  /// Writes the body, fields in the order of their numbers.
  public func encode(into writer: inout WireWriter) {
    writer.write(1) { scope.encode(into: &$0) }
    writer.write(2) { identity.encode(into: &$0) }
    writer.write(3, enumeration: result)
    writer.write(4, bool: isAddIdentityResult)
  }

  /// Reads the body; fields that nobody knows are skipped.
  public init(from reader: inout WireReader) throws(WireError) {
    var scope: IdentityScope?
    var identity: Identity?
    var result = SwitchIdentityResult.success
    var isAddIdentityResult = false
    while let field = try reader.nextField() {
      switch field.number {
      case 1:
        scope = try reader.message(field) { (inner) throws(WireError) in
          try IdentityScope(from: &inner)
        }
      case 2:
        identity = try reader.message(field) { (inner) throws(WireError) in
          try Identity(from: &inner)
        }
      case 3: result = try reader.enumeration(field, as: SwitchIdentityResult.self)
      case 4: isAddIdentityResult = try reader.bool(field)
      default: try reader.skip(field)
      }
    }
    self.init(
      scope: try reader.require(scope, field: 1), identity: try reader.require(identity, field: 2), result: result,
      isAddIdentityResult: isAddIdentityResult)
  }
}
