import EventSourcing
import WireFormat

/// A switch of identity that the app's delegate was asked for and has not answered.
public struct IdentitySwitchRequest: Equatable, Sendable {
  /// Where.
  public var scope: IdentityScope
  /// Whose it should become.
  public var identity: Identity
  /// Why.
  public var reason: IdentitySwitchReason
  /// The event that asked.
  public var requestedBy: UInt64

  init(scope: IdentityScope, identity: Identity, reason: IdentitySwitchReason, requestedBy: UInt64) {
    self.scope = scope
    self.identity = identity
    self.reason = reason
    self.requestedBy = requestedBy
  }

  func encode(into writer: inout WireWriter) {
    writer.write(1) { scope.encode(into: &$0) }
    writer.write(2) { identity.encode(into: &$0) }
    writer.write(3, enumeration: reason)
    writer.write(4, unsigned: requestedBy)
  }

  init(from reader: inout WireReader) throws(WireError) {
    self.init(scope: .process, identity: .unset, reason: .openURL, requestedBy: 0)
    while let field = try reader.nextField() {
      switch field.number {
      case 1: scope = try reader.message(field) { (inner) throws(WireError) in try IdentityScope(from: &inner) }
      case 2: identity = try reader.message(field) { (inner) throws(WireError) in try Identity(from: &inner) }
      case 3: reason = try reader.enumeration(field, as: IdentitySwitchReason.self)
      case 4: requestedBy = try reader.unsigned(field)
      default: try reader.skip(field)
      }
    }
  }
}
