import EventSourcing

/// An identity switch that the app's delegate was asked for and has not answered.
public struct IdentitySwitchRequest: FieldList {
  /// The scope to switch.
  public var scope: IdentityScope
  /// The identity requested.
  public var identity: Identity
  /// Why the switch is needed.
  public var reason: IdentitySwitchReason
  /// The event that asked the delegate.
  public var requestedBy: UInt64

  init(scope: IdentityScope, identity: Identity, reason: IdentitySwitchReason, requestedBy: UInt64) {
    self.scope = scope
    self.identity = identity
    self.reason = reason
    self.requestedBy = requestedBy
  }

  /// The value that decoding starts from.
  public static var blank: Self { Self(scope: .process, identity: .unset, reason: .openURL, requestedBy: 0) }

  public static func visit<V: FieldVisitor>(_ request: inout Self, _ field: inout V) throws(V.Failure) {
    try field(1, "scope", &request.scope, shown: false)
    try field(2, "identity", &request.identity)
    try field(3, "reason", &request.reason)
    try field(4, "requestedBy", &request.requestedBy, as: .sequence)
  }
}

/// Why the engine asks the app to switch identity (`IntuneMAMIdentitySwitchReason`).
public enum IdentitySwitchReason: Int, WireEnumeration {
  /// A document or link of another account was opened.
  case openURL = 0
  /// The user canceled the PIN, the sign-in or another launch condition.
  case cancelConditionalLaunch = 1
  /// A document of another account is being imported.
  case documentImport = 2
}
