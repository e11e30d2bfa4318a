import EventSourcing

/// The order in which findings of equal severity count.
public enum LaunchOrder: Int, WireEnumeration {
  /// Conditions that end the account's stay first: a pending wipe, the offline wipe, a jailbreak; then versions and the
  /// rest.
  case endingFirst = 0
  /// The published order for all kinds, with nothing before it: SDK, app, operating system, then the rest.
  case versionsFirst = 1
}
