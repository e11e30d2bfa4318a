import AppProtection

/// The names of all event types, for completions.
enum EventTypeNames {
  /// In the order of the catalogue.
  static let all = AppProtectionEvent.catalog.entries.map(\.name)
}
