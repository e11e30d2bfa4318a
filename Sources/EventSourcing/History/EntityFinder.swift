/// Finds out what the events of a domain are about, whatever the domain is.
struct EntityFinder: Sendable {
  /// Tells the keys from others: ``EntityKeys/fingerprint(revision:)``.
  let fingerprint: @Sendable () -> [UInt8]
  /// Calls a function with each entity that a recorded event is about, possibly more than once.
  let forEach: @Sendable (EnvelopeFields, (EntityID) -> Void) -> Void

  /// Of the events that a machine folds.
  init<Machine: Reducer>(_ machine: Machine.Type) {
    fingerprint = { Machine.Event.entityKeys.fingerprint(revision: Machine.revision) }
    forEach = { Machine.Event.forEachEntity(in: $0, $1) }
  }
}
