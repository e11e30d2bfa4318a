import EventSourcing

extension AppProtectionState {
  /// Raised whenever the same events would produce a different state than before.
  public static let revision: UInt32 = 4

  /// Folds one event into the state. An event that does not fit the state, such as one about an account that was never
  /// introduced, changes nothing.
  mutating func fold(_ event: AppProtectionEvent, _ context: EventContext) {
    let bootSession = process.bootSession
    event.fold(into: &self, context)
    noteForLaunch(event, context, bootSessionBefore: bootSession)
  }
}
