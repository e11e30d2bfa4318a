import AppProtection
import EventSourcing

extension EngineCore {
  /// Carries out the commands that other processes handed over; none before the process has started, and while another
  /// process may write the journal.
  ///
  /// - Throws: Why the first of those that stay cannot be carried out now.
  func drain(_ spool: SpoolDrain<AppProtectionMachine>) throws(EngineError) -> DrainReport {
    guard store.withState({ $0.process.isRunning }), !store.isSuspended else { return DrainReport() }
    var failure: EngineError?
    let report: DrainReport
    do throws(SpoolError) {
      report = try spool.drain(into: store.journal) { handed in
        do throws(EngineError) {
          #if POLICYJOURNAL_PLANTED_BUG
            // Without its key, a command is carried out again if the process dies while its file is there.
            // Set by tools/share-test --planted-bug, which must find it.
            let result = try send(handed.command, cause: 0)
          #else
            let result = try send(handed.command, cause: 0, handedOver: handed)
          #endif
          guard let refusal = CommandRefusal(of: handed.command, in: result) else { return CommandOutcome(result) }
          return .refused(rule: refusal.rule, explanation: refusal.explanation)
        } catch {
          let outcome = error.lastingOutcome
          failure = outcome == nil ? error : nil
          return outcome
        }
      }
    } catch {
      if let failure { throw failure }
      // It was suspended meanwhile, and the next drain goes on.
      if store.isSuspended { return DrainReport() }
      throw .spool(error)
    }
    if let failure { throw failure }
    return report
  }
}

extension EngineError {
  /// How a command ended that would be refused whenever it is tried; `nil` if a later attempt may succeed.
  fileprivate var lastingOutcome: CommandOutcome? {
    switch self {
    case .refused(let refusal): .refused(rule: refusal.rule, explanation: refusal.explanation)
    case .store(let error): SpoolError(error) == nil ? .refused(rule: "store", explanation: error.message) : nil
    case .spool, .interrupted, .canceled, .endedByDelegate, .ended, .notSettling: nil
    }
  }
}
