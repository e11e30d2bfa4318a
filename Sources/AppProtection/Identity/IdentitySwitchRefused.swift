import EventSourcing
import WireFormat

/// `identity.switchRefused`: a switch of identity did not happen; the identity is the one before.
public struct IdentitySwitchRefused: EventPayload {
  /// The process, the window or the thread.
  public var scope: IdentityScope
  /// Whose it should have become.
  public var identity: Identity
  /// How it ended.
  public var result: SwitchIdentityResult
  /// What stood against the switch.
  public var reason: SwitchRefusalReason

  /// Creates the event.
  public init(
    scope: IdentityScope, identity: Identity, result: SwitchIdentityResult = .success,
    reason: SwitchRefusalReason = .conditionalLaunch
  ) {
    self.scope = scope
    self.identity = identity
    self.result = result
    self.reason = reason
  }

  /// The entry of the catalogue.
  public static let descriptor = EventDescriptor(
    101, "identity.switchRefused", unknownReaders: .ignorable,
    body: MessageDescriptor(
      "IdentitySwitchRefused",
      [
        FieldDescriptor(
          1, "scope", .message(IdentityScope.descriptor), .single,
          "the process, the window or the thread"),
        FieldDescriptor(2, "identity", .message(Identity.descriptor), .single, "whose it should have become"),
        FieldDescriptor(3, "result", .enumeration(SwitchIdentityResult.descriptor), .single, "how it ended"),
        FieldDescriptor(
          4, "reason", .enumeration(SwitchRefusalReason.descriptor), .single,
          "what stood against the switch"),
      ]),
    meaning: "A switch of identity did not happen; the identity is the one before.")

  /// Writes the body, fields in the order of their numbers.
  public func encode(into writer: inout WireWriter) {
    writer.write(1) { scope.encode(into: &$0) }
    writer.write(2) { identity.encode(into: &$0) }
    writer.write(3, enumeration: result)
    writer.write(4, enumeration: reason)
  }

  /// Reads the body; fields that nobody knows are skipped.
  public init(from reader: inout WireReader) throws(WireError) {
    var scope: IdentityScope?
    var identity: Identity?
    var result = SwitchIdentityResult.success
    var reason = SwitchRefusalReason.conditionalLaunch
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
      case 4: reason = try reader.enumeration(field, as: SwitchRefusalReason.self)
      default: try reader.skip(field)
      }
    }
    self.init(
      scope: try reader.require(scope, field: 1), identity: try reader.require(identity, field: 2), result: result,
      reason: reason)
  }
}
