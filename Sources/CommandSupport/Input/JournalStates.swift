import EventSourcing
import Forensics
import Journal

/// The states of a journal, and how far each can be trusted.
package struct JournalStates {
  package let journal: JournalInput

  private var path: String { journal.path }
  private var trust: JournalTrust { journal.trust }

  /// The state after the event at a position, from the nearest stored state that these rules wrote; from the first event
  /// where bytes are damaged, because nothing then says whether they are before that state.
  ///
  /// When the end is asked for and cannot be reached, it is the last state that can, and ``TrustedState/obstacle`` says
  /// why; any other position after such a place is a failure.
  ///
  /// - Parameters:
  ///   - fromStart: Whether stored states are left alone.
  ///   - mayPrecede: Whether a time before the first event means the state before it.
  package func reading(
    at position: NamedPosition, fromStart: Bool = false, mayPrecede: Bool = false, _ context: CommandContext
  ) throws(Failure) -> TrustedState {
    // Which position exists does not matter where no state does.
    try journal.requireOwnDomain()
    let target: UInt64? =
      position == .end ? nil : try journal.positions.sequence(of: position, mayPrecede: mayPrecede, context)
    let reading = try JournalInput.settled([journal]) { () throws(Failure) -> TrustedState in
      try self.reading(after: target, fromStart: fromStart)
    }
    reading.askedTime = try journal.positions.time(of: position)
    return reading
  }

  /// The state after an event; `nil` is the end.
  package func reading(after target: UInt64?, fromStart: Bool = false) throws(Failure) -> TrustedState {
    let damage = try trust.findings()
    let findings = target == nil ? damage + trust.unknownEnd : damage
    let history = journal.history
    journal.begin("replaying")
    let usesCheckpoints = !fromStart && FindingNotes.exitCode(damage, nil) == .done
    do throws(HistoryError) {
      do throws(HistoryError) {
        return reading(
          try history.state(at: target.map { .sequence($0) } ?? .end, usesCheckpoints: usesCheckpoints), findings,
          isOfEnd: target == nil)
      } catch {
        guard target == nil, let last = error.lastDerivable else { throw error }
        let reached = try history.state(at: .sequence(last), usesCheckpoints: usesCheckpoints)
        let reading = reading(reached, findings, isOfEnd: true)
        reading.obstacle = error
        return reading
      }
    } catch {
      throw Failure(error, journal: path)
    }
  }

  private func reading(_ found: ReachedState, _ findings: [Finding], isOfEnd: Bool) -> TrustedState {
    let reading = TrustedState(
      journal: journal, sequence: found.sequence, state: found.state, findings: findings)
    reading.isOfEnd = isOfEnd
    switch found.origin {
    case .beginning: break
    case .checkpoint(let sequence): reading.stored = ("checkpoint", sequence)
    case .keyframe(let sequence): reading.stored = ("keyframe", sequence)
    }
    return reading
  }

  /// The end of a journal of another domain, or an event of it: how far its events can be read, with a state that says
  /// nothing.
  package func endWithoutState(at target: UInt64?) throws(Failure) -> TrustedState {
    let findings = try trust.findings() + (target == nil ? trust.unknownEnd : [])
    var last = journal.history.firstSequence - 1
    var obstacle: HistoryError?
    do throws(HistoryError) {
      last = try journal.history.lastSequence()
    } catch {
      guard let known = error.lastDerivable else { throw Failure(error, journal: path) }
      (last, obstacle) = (known, error)
    }
    let sequence = min(target ?? last, last)
    let reading = TrustedState(
      journal: journal, sequence: sequence, state: journal.domain.initialState, findings: findings)
    reading.obstacle = target.map { $0 > last } ?? true ? obstacle : nil
    return reading
  }

  /// When an event happened, by the wall clock; `nil` if it does not exist.
  package func wallNanoseconds(of sequence: UInt64) throws(HistoryError) -> Int64? {
    let event = try journal.history.firstEvent(after: sequence - min(sequence, 1))
    return event.flatMap { $0.sequence == sequence ? $0.moment.wallNanoseconds : nil }
  }
}
