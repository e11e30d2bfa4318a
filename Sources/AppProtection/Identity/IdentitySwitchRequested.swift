import EventSourcing
import WireFormat

/// `identity.switchRequested`: the app's delegate is asked to switch identity.
public struct IdentitySwitchRequested: EventPayload {
  /// The process, the window or the thread.
  public var scope: IdentityScope
  /// Whose it should become.
  public var identity: Identity
  /// What the switch is needed for.
  public var reason: IdentitySwitchReason

  /// Creates the event.
  public init(scope: IdentityScope, identity: Identity, reason: IdentitySwitchReason = .openURL) {
    self.scope = scope
    self.identity = identity
    self.reason = reason
  }

  /// The entry of the catalogue.
  public static let descriptor = EventDescriptor(
    102, "identity.switchRequested",
    body: MessageDescriptor(
      "IdentitySwitchRequested",
      [
        FieldDescriptor(
          1, "scope", .message(IdentityScope.descriptor), .single,
          "the process, the window or the thread"),
        FieldDescriptor(2, "identity", .message(Identity.descriptor), .single, "whose it should become"),
        FieldDescriptor(
          3, "reason", .enumeration(IdentitySwitchReason.descriptor), .single,
          "what the switch is needed for"),
      ]),
    meaning: "The app's delegate is asked to switch identity.")

  /// Writes the body, fields in the order of their numbers.
  public func encode(into writer: inout WireWriter) {
    writer.write(1) { scope.encode(into: &$0) }
    writer.write(2) { identity.encode(into: &$0) }
    writer.write(3, enumeration: reason)
  }

  /// Reads the body; fields that nobody knows are skipped.
  public init(from reader: inout WireReader) throws(WireError) {
    var scope: IdentityScope?
    var identity: Identity?
    var reason = IdentitySwitchReason.openURL
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
      case 3: reason = try reader.enumeration(field, as: IdentitySwitchReason.self)
      default: try reader.skip(field)
      }
    }
    self.init(
      scope: try reader.require(scope, field: 1), identity: try reader.require(identity, field: 2), reason: reason)
  }
}
