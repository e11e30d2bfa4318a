import EventSourcing

extension AppProtectionState {
  /// Raised whenever the same events would produce a different state than before.
  ///
  /// Revision 5 and later ones keep what an earlier revision wrote as it was: a rule that they change asks
  /// ``ProcessSlice/isRevision(before:)``, since `process.started` records the revision of the process that decided.
  public static let revision: UInt32 = 5

  /// Folds one event into the state. An event that does not fit the state, such as one about an account that was never
  /// introduced, changes nothing.
  mutating func fold(_ event: AppProtectionEvent, _ context: EventContext) {
    let bootSession = process.bootSession
    let owner = processOwner
    event.fold(into: &self, context)
    if let owner { followEnrollment(of: owner) }
    noteForLaunch(event, context, bootSessionBefore: bootSession)
  }
}
