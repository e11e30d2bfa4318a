import AppProtection
import EventSourcing
import EventSourcingKit
import FileProtection

extension PolicyEngine {
  /// Erases a person for good: lets the account leave with its data, as
  /// ``EnrollmentManager/deregisterAndUnenroll(_:wipe:)`` does, destroys its keys (``AccountKeys/erase(_:)``), and forgets
  /// what ``state`` shows of the person. A person who comes back gets another account.
  ///
  /// Call it from a task of its own, and not from a delegate. The service is notified before the keys go; where it cannot be
  /// reached, its record lingers there. May be repeated, as after a crash.
  ///
  /// - Throws: `KeyStoreError` if the keys cannot be destroyed, and what ``run()`` throws. After
  ///   ``EngineError/spool(_:)`` everything else is done.
  public func erase(_ account: AccountNumber, from keys: AccountKeys) async throws {
    try core.leaveWithData(account)
    let trouble = try await runPastSpool()
    try keys.erase(account)
    try core.reopenSealed(relay.publish)
    relay.bell.ring()
    if let trouble { throw trouble }
  }
}

extension EngineCore {
  /// Lets the accounts leave whose person was erased: no name leads to them any more, and others wait for their place.
  func endErasedStays() throws(EngineError) {
    guard let keys = store.options.sealing?.keys as? JournalKeys else { return }
    for account in state.accounts.records
    where account.enrollment.status.isRegistered && keys.areDestroyed(account.account) {
      try leaveWithData(account.account)
    }
  }

  /// Lets an account leave, with a wipe of its data, unless it has left or is about to.
  fileprivate func leaveWithData(_ account: AccountNumber) throws(EngineError) {
    guard state.accounts[account]?.enrollment.status.isStaying ?? false else { return }
    try send(.deregisterAndUnenroll(AccountReference(account), wipe: true))
  }
}

extension JournalKeys {
  /// Whether an account's person was erased. A key that is missing proves nothing: the store may be another one.
  fileprivate func areDestroyed(_ account: AccountNumber) -> Bool {
    (try? store.key(named: name(of: UInt64(account.rawValue)))) == .destroyed
  }
}
