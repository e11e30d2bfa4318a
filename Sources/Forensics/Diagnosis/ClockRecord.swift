import EventSourcing
import PlainText

/// The changes of a device's clock in a history, as far as they matter: a bounded number of them.
@usableFromInline
struct ClockRecord: Sendable {
  /// The most jumps kept in each direction.
  private static let maximumKept = 64

  /// So long without another change, one is out of sight (DERIVED).
  private static let sight: Int64 = 14 * 86_400 * CivilTime.nanosecondsPerSecond

  private var back: [ClockJump] = []
  private var ahead: [ClockJump] = []
  private var backCount = 0
  /// When the event after each jump that is kept was recorded, where that is known.
  private var moments: [UInt64: Moment] = [:]

  @usableFromInline
  init() {}

  /// Adds a jump. Smaller ones than time synchronisation makes do not count.
  ///
  /// - Parameter moment: When the event after it was recorded; `nil` if that is not known.
  @usableFromInline
  mutating func add(_ jump: ClockJump, at moment: Moment?) {
    guard jump.nanoseconds.magnitude > UInt64(ClockWatch.toleranceNanoseconds) else { return }
    if jump.nanoseconds < 0 {
      backCount += 1
      guard back.count < Self.maximumKept else { return }
      back.append(jump)
    } else {
      // The latest ones are what later problems can follow from.
      if ahead.count == Self.maximumKept { moments[ahead.removeFirst().sequence] = nil }
      ahead.append(jump)
    }
    moments[jump.sequence] = moment
  }

  /// The jumps as problems: those back, as one, and each one ahead that led to another problem.
  ///
  /// - Parameter last: When the last event was recorded.
  @usableFromInline
  func diagnoses<Family: DiagnosisFamily>(
    explaining found: [Diagnosis<Family>], at last: Moment
  ) -> [Diagnosis<Family>] {
    let causes = Set(found.flatMap(\.causes))
    var diagnoses = ahead.filter { causes.contains($0.sequence) }.map { jump in
      let next = back.first { $0.sequence > jump.sequence }
      return diagnosis(
        Family.clockSetBack, jump,
        next.map { [evidence($0, "the clock went back \(Self.amount($0))")] } ?? [], last)
    }
    var own = back.filter { jump in !diagnoses.contains { $0.evidence.contains { $0.sequence == jump.sequence } } }
    var count = backCount
    // What is right again, and led to nothing, is not reported beside what is not.
    let lasting = lasting
    let wrong = own.filter { jump in causes.contains(jump.sequence) || lasting.contains(jump) }
    if !wrong.isEmpty { (own, count) = (wrong, count - (own.count - wrong.count)) }
    if let first = own.first(where: { causes.contains($0.sequence) }) ?? own.first {
      // What one that undoes an earlier change is about began with that.
      let undone = undone(by: first)
      let others = own.filter { $0 != first }.map { evidence($0, "the clock went back \(Self.amount($0))") }
      var diagnosis: Diagnosis<Family> = diagnosis(
        Family.clockSetBack, first, others, last, since: undone?.jump)
      let isRight = diagnosis.ending?.kind == .recovered
      if let undone, isRight {
        diagnosis.title = "the clock was set ahead and back"
        let steps =
          undone.steps > 1
          ? " in \(undone.steps) steps from event \(first.sequence) on" : " before event \(first.sequence)"
        diagnosis.sentence =
          "the device's clock was set ahead by \(undone.amount) before event \(undone.jump.sequence), and back again\(steps)"
        diagnosis.add([evidence(undone.jump, "the clock went forward \(Self.amount(undone.jump))")])
      } else if let lead = lead(before: first) {
        diagnosis.sentence += ", when it was ahead by \(lead)"
      }
      if count > (isRight ? undone?.steps ?? 1 : 1) {
        diagnosis.sentence += ", the first of \(count) such changes"
      }
      // What is right again, and led to nothing, harmed no user.
      if isRight, !own.contains(where: { causes.contains($0.sequence) }) {
        (diagnosis.severity, diagnosis.harm) = (.note, .irregular)
      }
      diagnoses.append(diagnosis)
    }
    return diagnoses
  }

  private func diagnosis<Family: DiagnosisFamily>(
    _ family: Family, _ jump: ClockJump, _ others: [DiagnosisEvidence], _ last: Moment, since undone: ClockJump? = nil
  ) -> Diagnosis<Family> {
    let isBack = jump.nanoseconds < 0
    let words = isBack ? "set back" : "set ahead"
    var diagnosis = Diagnosis(
      family, jump.isSameBoot == true ? .certain : .likely,
      "the device's clock was \(words) by \(Self.amount(jump)) before event \(jump.sequence)",
      evidence: evidence(
        jump, "is \(Self.amount(jump)) \(isBack ? "earlier" : "later") than the event before it allows"),
      others, next: "turn on automatic date and time on the device, and compare times around the event by uptime",
      command: "log JOURNAL \(max(jump.sequence, 4) - 3)..\(jump.sequence + 3)")
    diagnosis.title = "the clock was \(words)"
    let latest = max(others.last?.sequence ?? 0, jump.sequence)
    diagnosis.until = latest
    if let ending = ending(of: undone ?? jump, latest, at: last) { diagnosis.end(ending.kind, at: ending.event) }
    return diagnosis
  }

  /// All changes, in their order.
  private var inOrder: [ClockJump] { (back + ahead).sorted { $0.sequence < $1.sequence } }

  /// The changes that no others undo: without those that, one after another, add up to none.
  private var lasting: [ClockJump] {
    var lasting: [ClockJump] = []
    for jump in inOrder {
      lasting.append(jump)
      var offset: Int64 = 0
      for place in lasting.indices.reversed() {
        let (sum, isTooLarge) = offset.addingReportingOverflow(lasting[place].nanoseconds)
        if isTooLarge { break }
        offset = sum
        if Self.isRight(offset) {
          lasting.removeSubrange(place...)
          break
        }
      }
    }
    return lasting
  }

  /// The change ahead that later ones back undo, the first of which is given; by how much the clock was ahead then, and in how many
  /// steps it went back. `nil` if the clock is wrong only since the first one, or stays wrong.
  private func undone(by jump: ClockJump) -> (jump: ClockJump, amount: String, steps: Int)? {
    let jumps = inOrder
    for begin in jumps.reversed() where begin.nanoseconds > 0 && begin.sequence < jump.sequence {
      var (offset, amount, steps): (Int64, Int64, Int) = (0, 0, 0)
      for other in jumps where other.sequence >= begin.sequence {
        let (sum, isTooLarge) = offset.addingReportingOverflow(other.nanoseconds)
        if isTooLarge { break }
        if other.sequence == jump.sequence { amount = offset }
        if other.sequence >= jump.sequence, other.nanoseconds < 0 { steps += 1 }
        offset = sum
        if Self.isRight(offset) {
          // One that ended before has nothing to do with this one.
          guard other.sequence >= jump.sequence else { break }
          return (begin, Self.amount(amount), steps)
        }
      }
    }
    return nil
  }

  /// By how much the clock was ahead before a change, as far as the changes before it show; `nil` if it was not.
  private func lead(before jump: ClockJump) -> String? {
    var lead: Int64 = 0
    for other in inOrder where other.sequence < jump.sequence {
      let (sum, isTooLarge) = lead.addingReportingOverflow(other.nanoseconds)
      if isTooLarge { return nil }
      lead = sum
    }
    return lead > 0 && !Self.isRight(lead) ? Self.amount(lead) : nil
  }

  /// Whether changes that add up to this leave the clock as it was.
  private static func isRight(_ offset: Int64) -> Bool { offset.magnitude <= UInt64(ClockWatch.toleranceNanoseconds) }

  /// How changes of the clock that began with a jump ended: they added up to none, or none has followed for long; `nil` while
  /// neither is so.
  private func ending(of jump: ClockJump, _ latest: UInt64, at last: Moment) -> DiagnosisEnding? {
    var offset: Int64 = 0
    for other in inOrder where other.sequence >= jump.sequence {
      let (sum, isTooLarge) = offset.addingReportingOverflow(other.nanoseconds)
      if isTooLarge { break }
      offset = sum
      guard other.sequence >= latest, Self.isRight(offset), let moment = moments[other.sequence] else { continue }
      return DiagnosisEnding(.recovered, at: EventContext(sequence: other.sequence, moment: moment))
    }
    guard let moment = moments[latest],
      ClockWatch.difference(last.wallNanoseconds, moment.wallNanoseconds) > Self.sight
    else { return nil }
    return DiagnosisEnding(.outOfSight, at: EventContext(sequence: latest, moment: moment))
  }

  private func evidence(_ jump: ClockJump, _ text: String) -> DiagnosisEvidence {
    guard let moment = moments[jump.sequence] else { return DiagnosisEvidence(jump.sequence, text) }
    return DiagnosisEvidence(EventContext(sequence: jump.sequence, moment: moment), text)
  }

  private static func amount(_ jump: ClockJump) -> String { amount(jump.nanoseconds) }

  private static func amount(_ nanoseconds: Int64) -> String {
    SpanText.clock(nanoseconds: Int64(clamping: nanoseconds.magnitude))
  }
}
