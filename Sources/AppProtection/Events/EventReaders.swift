/// The readers of an event besides the state: each is a `switch` that skips the types that do not name it.
struct EventReaders: OptionSet {
  let rawValue: UInt8

  /// Callbacks to the app (`AppProtectionMachine+Callbacks.swift`).
  static let callbacks = EventReaders(rawValue: 1)
  /// Findings for developers (`AppProtectionMachine+Findings.swift`).
  static let findings = EventReaders(rawValue: 2)
  /// Causes: the event is an order that another event led to, or led to one (`AppProtectionMachine+Causes.swift`).
  static let causes = EventReaders(rawValue: 4)
  /// Launch conditions that record an event of another theme (`AppProtectionState+Launch.swift`).
  static let launch = EventReaders(rawValue: 8)
}
