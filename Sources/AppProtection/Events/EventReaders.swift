/// The readers of an event besides the state: each is a `switch` that skips the types that do not name it, by
/// ``AppProtectionEvent/unread(by:_:)``.
package struct EventReaders: OptionSet {
  package let rawValue: UInt64

  package init(rawValue: UInt64) { self.rawValue = rawValue }

  /// Callbacks to the app (`AppProtectionMachine+Callbacks.swift`).
  static let callbacks = EventReaders(rawValue: 1)
  /// The callback that follows a change of the demand to encrypt files (`AppProtectionMachine+DataProtection.swift`).
  static let dataProtection = EventReaders(rawValue: 2)
  /// Findings for developers (`AppProtectionMachine+Findings.swift`).
  static let findings = EventReaders(rawValue: 4)
  /// Orders, which another event may have led to (`AppProtectionMachine+Orders.swift`).
  static let orders = EventReaders(rawValue: 8)
  /// Causes, which may lead to an order (`AppProtectionMachine+Causes.swift`).
  static let causes = EventReaders(rawValue: 16)
  /// Launch conditions that record an event of another theme (`AppProtectionState+Launch.swift`).
  static let launch = EventReaders(rawValue: 32)
}
