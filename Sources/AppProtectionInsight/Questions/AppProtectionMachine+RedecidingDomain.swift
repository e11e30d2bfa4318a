import AppProtection
import EventSourcing

extension AppProtectionMachine: RedecidingDomain {
  /// The rule that refuses.
  public static func rule(of rejection: AppProtectionRejection) -> String { rejection.rule }

  /// The accounts.
  public static func subjects(in state: AppProtectionState, limit: Int) -> [String] {
    state.accounts.records.prefix(limit).map(\.account.description)
  }

  /// The command that the first event which is not about an account's identity stands for.
  public static func command(
    leadingTo events: [AppProtectionEvent], in state: AppProtectionState, at moment: Moment
  ) -> AppProtectionCommand? {
    RecordedDecision(events, in: state, at: moment).command
  }
}
