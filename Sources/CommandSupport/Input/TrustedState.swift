import EventSourcing
import Forensics
import Journal

/// A state, and how far it can be trusted.
///
/// A class, because the reports that hold one or two are moved and copied, and a state has many references.
package final class TrustedState {
  /// The journal it is from.
  package let journal: JournalInput
  /// The event after which it is the state; 0 before the first.
  package let sequence: UInt64
  /// What the events up to the position add up to.
  package let state: AnyState
  /// What is wrong with the journal's bytes, there and elsewhere.
  package let findings: [Finding]
  /// Whether the end was asked for, wherever that is.
  var isOfEnd = false
  /// The stored state from which it was computed; `nil` when it was computed from the first event.
  package var stored: (name: String, sequence: UInt64)?
  /// Events that were lost before the journal was salvaged, and that an answer about the whole history up to here may rest on.
  package var losses: [Finding] = []
  /// The number of the account that was asked about; `nil` for other questions.
  package var accountNumber: UInt64?
  /// The time that was asked for, in nanoseconds since 1970; `nil` for a position that is not a time.
  var askedTime: Int64?
  /// Why the state is not that of the end, when the end was asked for and cannot be reached.
  package var obstacle: HistoryError?

  package init(journal: JournalInput, sequence: UInt64, state: AnyState, findings: [Finding]) {
    self.journal = journal
    self.sequence = sequence
    self.state = state
    self.findings = findings
  }

  private convenience init(_ reading: TrustedState, losses: [Finding]) {
    self.init(
      journal: reading.journal, sequence: reading.sequence, state: reading.state, findings: reading.findings)
    (isOfEnd, stored, accountNumber, obstacle) = (
      reading.isOfEnd, reading.stored, reading.accountNumber, reading.obstacle
    )
    askedTime = reading.askedTime
    self.losses = losses
  }

  /// When questions are asked: at the time that was asked for, if it is later than the event, or else at that of the event.
  package func moment() throws(HistoryError) -> Moment {
    var moment = try journal.states.moment(near: sequence)
    guard let askedTime, askedTime > moment.wallNanoseconds, sequence > 0 else { return moment }
    let (passed, _) = askedTime.subtractingReportingOverflow(moment.wallNanoseconds)
    // Of a running process, uptime passes as well.
    let (uptime, isTooLong) = moment.uptimeNanoseconds.addingReportingOverflow(max(passed, 0))
    if moment.uptimeNanoseconds != 0, !isTooLong { moment.uptimeNanoseconds = uptime }
    moment.wallNanoseconds = askedTime
    return moment
  }

  /// How a command ends that showed this state.
  package var exitCode: ExitCode { FindingNotes.exitCode(findings + losses, obstacle) }

  /// The same reading for an answer that rests on every event up to here, and not only on the state: a stored state after
  /// events that were lost says what they led to, and not which of them did.
  ///
  /// Of a long journal, the bytes of these events are read first, so that damage among them is known before the answer.
  ///
  /// - Parameter first: The event after which events matter.
  package func restingOnHistory(after first: UInt64 = 0) throws(Failure) -> TrustedState {
    var reading = self
    if journal.trust.isSeeking {
      try journal.trust.verify(after: first, upTo: sequence)
      // Passes over these events begin with the state before them.
      _ = try? journal.states.beginning(after: first)
      if !journal.trust.isSeeking {
        reading = try journal.states.reading(after: isOfEnd ? nil : sequence)
        reading.askedTime = askedTime
      }
    }
    guard journal.history.reader.identity.isSalvaged, reading.obstacle == nil else { return reading }
    do throws(JournalError) {
      let losses = try journal.history.reader.lostEvents().filter { loss in
        loss.lostEvents.map { $0.lowerBound <= sequence && $0.upperBound > first } ?? false
      }
      return TrustedState(reading, losses: losses)
    } catch {
      throw Failure(error, journal: journal.path)
    }
  }

  /// Whether rules read a path that is not set, to answer questions about the accounts here.
  package func isRead(_ path: String) -> Bool {
    let moment = (try? journal.states.moment(near: sequence)) ?? Moment(wallNanoseconds: 0)
    return journal.history.pathsRead(in: state, at: moment).contains(path)
  }

  /// Fails if the requested state, and so the answer to a question, is unknown.
  package func expectEnd(_ question: String) throws(Failure) {
    guard let obstacle else { return }
    var failure = Failure(obstacle, journal: journal.path)
    failure.message += sequence == 0 ? "; \(question) is unknown" : "; \(question) after that is unknown"
    failure.next = FindingNotes.nextStep(findings, journal.path, obstacle: obstacle)
    throw failure
  }

  /// Says on standard error what is wrong, if anything is.
  package func note(_ context: CommandContext) {
    if let obstacle {
      let failure = Failure(obstacle, journal: journal.path)
      context.note(
        "\(failure.message); this is the state after event \(sequence), the last known one. "
          + "Next: \(FindingNotes.nextStep(findings, journal.path, obstacle: obstacle))")
    } else if !losses.isEmpty {
      context.note(
        "\(journal.path): \(FindingNotes.count(findings + losses)); what they set or changed is unknown. "
          + "Next: \(FindingNotes.nextStep(findings, journal.path))")
    } else if exitCode != .done {
      context.note(
        "\(journal.path): \(FindingNotes.count(findings)); no event up to \(sequence) is lost. "
          + "Next: \(FindingNotes.nextStep(findings, journal.path))")
    }
  }

  /// Says what is wrong with either of two states; of one journal once, for the one that lies further on.
  package static func note(_ one: TrustedState, _ other: TrustedState, _ context: CommandContext) {
    guard one.journal.path == other.journal.path else {
      one.note(context)
      other.note(context)
      return
    }
    let isOne = one.obstacle != nil || (other.obstacle == nil && one.sequence > other.sequence)
    (isOne ? one : other).note(context)
  }
}
