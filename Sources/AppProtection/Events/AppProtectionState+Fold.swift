import EventSourcing

extension AppProtectionState {
  /// Raised whenever the same events would produce a different state than before.
  ///
  /// Since revision 5, what an earlier revision wrote keeps its states and callbacks: a rule that changes asks for
  /// ``ProcessSlice/reducerRevision``, which `process.started` records. What revision 5 changed are the process's identity
  /// after an enrollment ends, what an app's word counts for in launch conditions, announced levels of protection, moot
  /// questions, and the default of `verifyAndProtect`.
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
