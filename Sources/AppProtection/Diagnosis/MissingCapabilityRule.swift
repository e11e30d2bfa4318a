import EventSourcing

/// Conditional access refuses tokens, and the error that asks for protection (−50004) never comes: the token library was not
/// given the client capability `protapp`.
///
/// The deciding event is the first refusal.
struct MissingCapabilityRule: ProblemRule {
  /// Errors that need no conditional access: the user canceled (−50005), a scope was declined (−50003), and those of the
  /// system's network.
  private static func isOther(_ error: Int64) -> Bool {
    error == -50005 || error == -50003 || (-2000 ... -1).contains(error)
  }

  /// The interaction that any missing token requires, too.
  private static let interactionRequired: Int64 = -50002
  /// Fewer refusals can have another reason.
  private static let minimum = 2

  private var refusals = PerAccount<Sightings>()
  private var errors = PerAccount<Int64>()
  private var isProtectionDemanded = false

  init() {}

  mutating func observe(
    _ event: AppProtectionEvent, _ context: EventContext, before: AppProtectionState, after: AppProtectionState,
    _ notes: HistoryNotes
  ) {
    switch event {
    case .tokenDenied(let event):
      if event.error == TokenDenied.protectionRequired { isProtectionDemanded = true }
      let isSignedOut = before.accounts[event.account]?.tokensRemoved ?? false
      if Self.isOther(event.error) || (event.error == Self.interactionRequired && isSignedOut) { return }
      refusals[event.account, default: Sightings()].note(context)
      errors[event.account] = event.error
    case .tokenAcquired(let event): refusals[event.account] = nil
    case .accountDeregistered(let event): refusals[event.account] = nil
    case .unenrollmentSucceeded(let event): refusals[event.account] = nil
    default: break
    }
  }

  func problems(at state: AppProtectionState, _ last: EventContext, _ notes: HistoryNotes) -> [Problem] {
    // The library has the capability once the error came for any account.
    guard !isProtectionDemanded else { return [] }
    return refusals.inOrder.filter { $0.value.count >= Self.minimum }.map { account, refused in
      let first = refused.first?.sequence ?? 0
      let error = errors[account] ?? 0
      let evidence = refused.evidence("a token is refused: \(error)")
      var problem = Problem(
        .missingCapability, .likely, of: account.description,
        "conditional access refuses tokens of \(account) (error \(error), \(refused.count) times since event \(first)), and "
          + "the error −50004, which asks for protection, never comes",
        evidence: evidence.first ?? DiagnosisEvidence(first, "refused"),
        [DiagnosisEvidence(nil, "−50004 never comes, so the app is not asked to remediate")] + evidence.dropFirst(),
        next: "give the token library the client capability protapp, and handle −50004 with remediateCompliance",
        command: "log JOURNAL --type 'token.denied' --account \(account)")
      problem.restsOnAbsence = true
      return problem
    }
  }
}
