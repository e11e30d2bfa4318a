import EventSourcing

/// The changes of a device's clock in a history, as far as they matter: a bounded number of them.
@usableFromInline
struct ClockRecord: Sendable {
  /// The most jumps kept in each direction.
  private static let maximumKept = 64

  private var back: [ClockJump] = []
  private var ahead: [ClockJump] = []
  private var backCount = 0

  @usableFromInline
  init() {}

  /// Adds a jump. Smaller ones than time synchronisation makes do not count.
  @usableFromInline
  mutating func add(_ jump: ClockJump) {
    guard jump.nanoseconds.magnitude > UInt64(ClockWatch.toleranceNanoseconds) else { return }
    if jump.nanoseconds < 0 {
      backCount += 1
      if back.count < Self.maximumKept { back.append(jump) }
    } else {
      // The latest ones are what later problems can follow from.
      if ahead.count == Self.maximumKept { ahead.removeFirst() }
      ahead.append(jump)
    }
  }

  /// The jumps as problems: those back, as one, and each one ahead that led to another problem.
  @usableFromInline
  func diagnoses<Family: DiagnosisFamily>(explaining found: [Diagnosis<Family>]) -> [Diagnosis<Family>] {
    let causes = Set(found.flatMap(\.causes))
    var diagnoses = ahead.filter { causes.contains($0.sequence) }.map { jump in
      let next = back.first { $0.sequence > jump.sequence }
      return diagnosis(
        Family.clockSetBack, jump,
        next.map { [DiagnosisEvidence($0.sequence, "the clock went back \(Self.amount($0))")] } ?? [])
    }
    let own = back.filter { jump in !diagnoses.contains { $0.evidence.contains { $0.sequence == jump.sequence } } }
    if let first = own.first(where: { causes.contains($0.sequence) }) ?? own.first {
      let others = own.filter { $0 != first }.map {
        DiagnosisEvidence($0.sequence, "the clock went back \(Self.amount($0))")
      }
      var diagnosis: Diagnosis<Family> = diagnosis(Family.clockSetBack, first, others)
      if backCount > 1 { diagnosis.sentence += ", the first of \(backCount) such changes" }
      diagnoses.append(diagnosis)
    }
    return diagnoses
  }

  private func diagnosis<Family: DiagnosisFamily>(
    _ family: Family, _ jump: ClockJump, _ others: [DiagnosisEvidence]
  ) -> Diagnosis<Family> {
    let isBack = jump.nanoseconds < 0
    let words = isBack ? "set back" : "set ahead"
    var diagnosis = Diagnosis(
      family, jump.isSameBoot == true ? .certain : .likely,
      "the device's clock was \(words) by \(Self.amount(jump)) before event \(jump.sequence)",
      evidence: DiagnosisEvidence(
        jump.sequence, "is \(Self.amount(jump)) \(isBack ? "earlier" : "later") than the event before it allows"),
      others, next: "turn on automatic date and time on the device, and compare times around the event by uptime",
      command: "log JOURNAL \(max(jump.sequence, 4) - 3)..\(jump.sequence + 3)")
    diagnosis.title = "the clock was \(words)"
    diagnosis.until = (others.last?.sequence).map { max($0, jump.sequence) } ?? jump.sequence
    return diagnosis
  }

  private static func amount(_ jump: ClockJump) -> String {
    SpanText.clock(nanoseconds: Int64(clamping: jump.nanoseconds.magnitude))
  }
}
