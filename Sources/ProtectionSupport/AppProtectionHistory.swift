import AppProtection
import AppProtectionInsight
import CommandSupport
import EventSourcing

extension JournalInput {
  /// Its history as one of app protection.
  package var protectionHistory: History<AppProtectionMachine> {
    history.typed as? History<AppProtectionMachine> ?? History(history.reader)
  }
}

extension AnyState {
  /// The state as one of app protection, which it is in `pj`.
  package var protection: AppProtectionState { value as? AppProtectionState ?? AppProtectionMachine.initialState }
}

extension TrustedState {
  /// The state as one of app protection.
  package var protectionState: AppProtectionState { state.protection }
}
