import AppProtection
import EventSourcing

/// Conditional access refuses tokens, and the error that asks for protection (−50004) never comes: the token library was not
/// given the client capability `protapp`.
///
/// The deciding event is the first refusal.
struct MissingCapabilityRule: ProblemRule {
  /// Refusals of one account, since it last got a token.
  private struct Refusals: Sendable {
    var all = Occurrences()
    /// Those that have no other explanation.
    var clear = 0
    var error: Int64 = 0
    /// Whether the service demanded a sign-in in between.
    var isSignInDemanded = false
    /// The service's answer that made the app ask for the first one: it failed for the same lack.
    var demand: EventContext?

    /// Fewer refusals can have another reason: that of a missing token, if the service demands a sign-in, too.
    var isEnough: Bool { clear > 1 || (all.count > 2 && !isSignInDemanded) }
  }

  /// Errors that occur without conditional access, too, among them those of the system's network.
  private static func isAmbiguous(_ error: Int64) -> Bool {
    TokenLibraryError.about(error)?.isOrdinary == true || TokenLibraryError.system.contains(error)
  }

  /// A version of the app, or of the SDK in it, that began while −50004 was known.
  private struct Update: Sendable {
    let started: EventContext
    /// The last −50004 before it.
    let demanded: EventContext
  }

  private var refusals = PerAccount<Refusals>()
  /// The last −50004 of any account, with which the library shows that it has the capability.
  private var demanded: EventContext?
  private var update: Update?
  /// The last start of another version of the app or its SDK.
  private var newest: EventContext?
  private var past = PastTroubles()

  init() {}

  static let events: [any EventPayload.Type] = [
    ProcessStarted.self, TokenAcquired.self, TokenDenied.self,
  ]

  mutating func observe(
    _ event: AppProtectionEvent, _ context: EventContext, before: AppProtectionState, after: AppProtectionState,
    _ notes: HistoryNotes
  ) {
    switch event {
    case .processStarted:
      let (old, new) = (before.process, after.process)
      guard old.appVersion != new.appVersion || old.sdkVersion != new.sdkVersion else { return }
      newest = context
      guard let last = demanded else { return }
      // Another version may have lost what the one before had; its refusals count from here on.
      (update, demanded, refusals) = (Update(started: context, demanded: last), nil, PerAccount())
    case .tokenDenied(let event):
      if event.error == TokenDenied.protectionRequired {
        endAll(context, notes)
        (demanded, update) = (context, nil)
      }
      // A token library that is too old fails for that reason.
      if Self.isLibraryTooOld(before) { return }
      let isAmbiguous = Self.isAmbiguous(event.error)
      if isAmbiguous && before.accounts[event.account]?.tokensRemoved == true { return }
      let isFirst = refusals[event.account] == nil
      refusals[event.account, default: Refusals()].all.add(context)
      if isFirst, before.accounts[event.account]?.enrollment.awaitsSignIn == true,
        before.accounts[event.account]?.tokensRemoved != true
      {
        refusals[event.account]?.demand = notes.contacts[event.account]?.firstRefusal?.event
      }
      refusals[event.account]?.error = event.error
      refusals[event.account]?.isSignInDemanded = before.accounts[event.account]?.enrollment.awaitsSignIn ?? false
      if !isAmbiguous { refusals[event.account]?.clear += 1 }
      if event.error != TokenDenied.protectionRequired { past.see(event.account, context, notes) }
    case .tokenAcquired(let event): end(event.account, "a token was acquired", context, notes)
    default: break
    }
  }

  /// The service's code for a token library that lacks a method, which is one for every account.
  private static func isLibraryTooOld(_ state: AppProtectionState) -> Bool {
    state.accounts.records.contains { $0.enrollment.lastCode == .adalMethodUnsupported }
  }

  /// The tokens of an account are not refused any more.
  private mutating func end(
    _ account: AccountNumber, _ words: String, _ context: EventContext, _ notes: HistoryNotes
  ) {
    defer { refusals[account] = nil }
    guard demanded == nil, let found = refusals[account], found.isEnough, let first = found.all.first else {
      return past.forget(account)
    }
    past.end(
      account, .recovered, at: context, notes,
      Problem(
        .missingCapability, .possible, of: account.description,
        "conditional access refused tokens of \(account) (error \(found.error), \(found.all.times) since event "
          + "\(first.sequence)), and the error −50004 did not come, until \(words) with event \(context.sequence)",
        evidence: DiagnosisEvidence(first, "a token is refused: \(found.error)"),
        found.all.evidence("a token is refused: \(found.error)"),
        next: "look at what the app, or conditional access, has changed since",
        command: "log JOURNAL --type 'token.denied' --account \(account)"))
  }

  /// The library has the capability: if a version since the first refusal brought it, they are over; otherwise they had
  /// another reason.
  private mutating func endAll(_ context: EventContext, _ notes: HistoryNotes) {
    for (account, found) in refusals.inOrder {
      if let newest, let last = found.all.last, newest.sequence > last.sequence {
        end(account, "another version of the app asked for protection", context, notes)
      } else {
        past.forget(account)
        refusals[account] = nil
      }
    }
  }

  func problems(at state: AppProtectionState, _ last: EventContext, _ notes: HistoryNotes) -> [Problem] {
    let over = past.problems { demanded == nil && refusals[$0]?.isEnough == true }
    // The library has the capability once the error came for any account, unless another version lost it.
    guard demanded == nil, !Self.isLibraryTooOld(state) else { return over }
    let found = refusals.inOrder.filter(\.value.isEnough)
    let first = found.compactMap(\.value.all.first).min { $0.sequence < $1.sequence }
    return over
      + found.map { account, refusals in
        var problem = problem(account, refusals, past.episodes(of: account).seen(at: last))
        // One library serves every account: what it lacks is lacking since the first refusal.
        if let first, first.sequence < problem.decidingEvent { problem.causes = [first.sequence] }
        return problem
      }
  }

  private func problem(_ account: AccountNumber, _ found: Refusals, _ episodes: Episodes) -> Problem {
    let (refused, error, isOver) = (found.all, found.error, !episodes.isOpen)
    let first = refused.first?.sequence ?? 0
    let evidence = refused.evidence("a token is refused: \(error)")
    let missing = DiagnosisEvidence(nil, "−50004 never comes, so the app is not asked to remediate")
    var others = [missing]
    var history = ", and the error −50004, which asks for protection, never \(isOver ? "came" : "comes")"
    if let update {
      history =
        ": since event \(update.started.sequence), another version of the app or its SDK, −50004, which asks for "
        + "protection, \(isOver ? "did" : "does") not come any more"
      others = [
        DiagnosisEvidence(update.started, "another version of the app or its SDK starts"),
        DiagnosisEvidence(update.demanded, "the version before is asked for protection: −50004"), missing,
      ]
    }
    var problem = Problem(
      .missingCapability, found.clear > 1 || update != nil ? .likely : .possible, of: account.description,
      "conditional access \(isOver ? "refused" : "refuses") tokens of \(account) (error \(error), \(refused.count) times since event \(first))"
        + history,
      evidence: evidence.first ?? DiagnosisEvidence(first, "refused"), others + evidence.dropFirst(),
      next: "give the token library the client capability protapp, and handle −50004 with remediateCompliance",
      command: "log JOURNAL --type 'token.denied' --account \(account)")
    problem.show(episodes)
    problem.began = found.demand?.sequence
    problem.restsOnAbsence = true
    return problem
  }
}
