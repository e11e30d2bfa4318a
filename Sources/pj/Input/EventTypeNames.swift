import AppProtection
import EventSourcing

/// The event types that a journal may hold: those of the domain, and the one that every domain has.
enum EventTypeNames {
  /// In the order of their numbers.
  static let entries = AppProtectionEvent.catalog.entries + [StateMigration.descriptor]
  /// Their names, for completions.
  static let all = entries.map(\.name)
}
