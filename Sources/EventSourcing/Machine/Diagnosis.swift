/// A problem that a history shows: what, how it is known, and what to do.
///
/// Its texts name accounts by their numbers, and contain nothing that identifies a person.
public struct Diagnosis<Family: DiagnosisFamily>: Equatable, Sendable {
  /// The most events named as evidence.
  public static var maximumEvidence: Int { 8 }

  /// The kind of problem.
  public var family: Family
  /// How bad it is.
  public var severity: DiagnosisSeverity
  /// Whom it harmed: of problems that are equally bad, harm that a user met comes first.
  public var harm = DiagnosisHarm.user
  /// What is wrong, in one sentence without a full stop.
  public var sentence: String
  /// What proves it: the deciding event, then what came before it, then what did not happen, then what came after it. Never
  /// empty, at most ``maximumEvidence``.
  public private(set) var evidence: [DiagnosisEvidence]
  /// How certain it is.
  public var confidence: DiagnosisConfidence
  /// What to do, in one sentence without a full stop.
  public var next: String
  /// A command of the tool that helps, without the tool's name; `JOURNAL` stands for the journal.
  public var command: String?
  /// Whom or what it concerns, such as `a1`; `nil` for the whole history.
  public var subject: String?
  /// The event from which on something could follow from it, where that is not the deciding one: the policy that set a limit,
  /// not the block by it; the first answer that a token is missing, not its removal.
  public var began: UInt64?
  /// The event with which it was felt: the block or the wipe itself. What was felt before a cause began does not follow from
  /// it. `nil` means the deciding event, or no event at all where ``restsOnAbsence``.
  public var felt: UInt64?
  /// The last event up to which it held; `nil` if it holds at the end.
  public var until: UInt64?
  /// Whether nothing of it is left at the end: what stands there is more urgent.
  public var isOver = false
  /// What is wrong, in a few words, where the family's title leaves that open.
  public var title: String?
  /// Families whose problems follow from this one, besides those that follow from its family.
  public var consequences: Set<Family> = []
  /// Whom or what it concerns besides ``subject``: problems of theirs can follow from it, too.
  public var others: Set<String> = []
  /// Deciding events of other problems that led to this one.
  public var causes: [UInt64] = []
  /// Whether its cause lies in what it names itself, so that it follows from no other problem but those in ``causes``.
  public var isOwnCause = false
  /// Whether it rests on something that did not happen, so that it is uncertain where events may be missing.
  public var restsOnAbsence = false
  /// How it ended; `nil` if it holds at the end, or is not known to have ended.
  public private(set) var ending: DiagnosisEnding?
  /// The stretches during which it was seen: the first ones and the last one. Empty where it was not seen again and again.
  public private(set) var episodes: [DiagnosisEpisode] = []
  /// The number of stretches, of which ``episodes`` has some.
  public private(set) var episodeCount = 0

  /// The severity is the family's.
  ///
  /// - Parameters:
  ///   - evidence: The deciding event: the one with which the harm was done, or the answer or mistake that started it.
  ///   - others: What else proves it. Of what came before the deciding event, the first piece matters most.
  public init(
    _ family: Family, _ confidence: DiagnosisConfidence = .certain, of subject: String? = nil, _ sentence: String,
    evidence deciding: DiagnosisEvidence, _ others: [DiagnosisEvidence] = [], next: String, command: String? = nil
  ) {
    (self.family, severity, self.confidence, self.subject) = (family, family.severity, confidence, subject)
    (self.sentence, self.next, self.command) = (sentence, next, command)
    evidence = Self.inOrder(deciding, others)
  }

  /// Adds evidence, unless the event is among it.
  public mutating func add(_ pieces: [DiagnosisEvidence]) {
    guard let deciding = evidence.first, !pieces.isEmpty else { return }
    evidence = Self.inOrder(deciding, Array(evidence.dropFirst()) + pieces)
  }

  /// The evidence in its order, each event once. What is too much is left out before the last event.
  private static func inOrder(_ deciding: DiagnosisEvidence, _ others: [DiagnosisEvidence]) -> [DiagnosisEvidence] {
    var seen: Set = [deciding.sequence]
    let rest = others.filter { $0.sequence == nil || seen.insert($0.sequence).inserted }
    let decided = deciding.sequence ?? 0
    let absent = rest.filter { $0.sequence == nil }
    let earlier = rest.filter { $0.sequence.map { $0 < decided } ?? false }
    let later = rest.filter { $0.sequence.map { $0 >= decided } ?? false }.sorted {
      $0.sequence ?? 0 < $1.sequence ?? 0
    }
    let all = [deciding] + earlier + absent + later
    return all.count <= maximumEvidence ? all : Array(all.prefix(maximumEvidence - 1)) + all.suffix(1)
  }

  /// The event that decided it; 0 if it is none that the history has.
  public var decidingEvent: UInt64 { evidence.first?.sequence ?? 0 }

  /// The first event with which it had begun: the deciding one, or what brought that about.
  public var onset: UInt64 { min(began ?? decidingEvent, decidingEvent) }

  /// When the deciding event was recorded; `nil` if the history does not have it.
  public var decidingMoment: Moment? { evidence.first?.moment }

  /// The events over which it held.
  public var span: ClosedRange<UInt64> {
    let first = evidence.lazy.compactMap(\.sequence).min() ?? 0
    return first...max(first, until ?? .max)
  }

  /// Says of each event before the first one that it lies there, and not which one it was: what those events did is known by
  /// their effects only.
  public func placed(after opening: UInt64) -> Self {
    guard opening > 0 else { return self }
    var problem = self
    if restsOnAbsence && decidingEvent <= opening { problem.confidence = min(confidence, .possible) }
    problem.evidence = evidence.map { piece in
      let text = Self.placed(piece.text, opening)
      guard let sequence = piece.sequence, sequence <= opening else { return piece.with(text) }
      return DiagnosisEvidence(nil, "\(text), before event \(opening + 1)")
    }
    for place in episodes.indices where episodes[place].first.sequence <= opening {
      problem.episodes[place].first.sequence = 0
    }
    problem.sentence = Self.placed(sentence, opening)
    let shown = command?.split(separator: " ").drop { $0 != "JOURNAL" }.dropFirst().first
    if let number = shown.flatMap({ UInt64($0.prefix { $0.isASCII && $0.isNumber }) }), number <= opening {
      problem.command = "log JOURNAL \(opening + 1).."
    }
    return problem
  }

  /// The text with `an event before 27` in place of `event 26`.
  private static func placed(_ text: String, _ opening: UInt64) -> String {
    var (result, rest) = ("", text[...])
    while let range = rest.firstRange(of: "event ") {
      let digits = rest[range.upperBound...].prefix { $0.isASCII && $0.isNumber }
      result += rest[..<range.lowerBound]
      if let number = UInt64(digits), number <= opening {
        result += "an event before \(opening + 1)"
      } else {
        result += "event \(digits)"
      }
      rest = rest[digits.endIndex...]
    }
    return result + rest
  }

  /// Whether this problem led to another one: because the other one names it, or because its family explains the other's
  /// and both held at the same time for the same subject; but never to what was felt before it began, and what lasts follows
  /// from what is over only if it names it.
  ///
  /// - Parameter opening: The last event that is missing before the first one: which of those came first is not known.
  public func explains(_ other: Self, after opening: UInt64 = 0) -> Bool {
    if other.isFelt(before: self, after: opening) { return false }
    if other.causes.contains(decidingEvent) { return true }
    guard !other.isOwnCause, !isOver || other.isOver else { return false }
    guard consequences.contains(other.family) || family.explains.contains(other.family), span.overlaps(other.span),
      other.span.upperBound >= onset
    else { return false }
    guard let subject, let concerned = other.subject else { return true }
    return subject == concerned || others.contains(concerned)
  }

  /// Whether it was felt before another one began, so that it does not follow from that: whatever led to it had begun.
  ///
  /// - Parameter opening: The last event that is missing before the first one.
  public func isFelt(before cause: Self, after opening: UInt64 = 0) -> Bool {
    guard let felt = felt ?? (restsOnAbsence ? nil : decidingEvent) else { return false }
    return max(felt, opening) < max(cause.began ?? cause.decidingEvent, opening)
  }

  /// Says that it ended with an event, and left nothing behind.
  public mutating func end(_ kind: DiagnosisEnding.Kind, at event: EventContext) {
    (until, isOver, ending) = (event.sequence, true, DiagnosisEnding(kind, at: event))
    endLastEpisode()
  }

  /// Says in which stretches it was seen. The last one keeps the end that it had; where none is known, it ended as the problem
  /// did.
  ///
  /// - Parameters:
  ///   - episodes: The first ones and the last one.
  ///   - count: The number of all of them.
  public mutating func show(_ episodes: [DiagnosisEpisode], of count: Int) {
    (self.episodes, episodeCount) = (episodes, count)
    endLastEpisode()
  }

  private mutating func endLastEpisode() {
    guard let place = episodes.indices.last, episodes[place].ending == nil else { return }
    episodes[place].ending = ending
  }
}

/// An event that proves a problem, or something that did not happen.
public struct DiagnosisEvidence: Equatable, Sendable {
  /// The event; `nil` for what did not happen.
  public var sequence: UInt64?
  /// When the event was recorded; `nil` for what did not happen, and where that is not known.
  public var moment: Moment?
  /// What the event shows, or what did not happen, in a few words.
  public var text: String

  /// `text` has no full stop.
  public init(_ sequence: UInt64?, _ text: String) {
    (self.sequence, self.text) = (sequence, text)
  }

  /// `text` has no full stop.
  public init(_ event: EventContext, _ text: String) {
    (sequence, moment, self.text) = (event.sequence, event.moment, text)
  }

  /// The same event with another text.
  func with(_ text: String) -> Self {
    var evidence = self
    evidence.text = text
    return evidence
  }
}

/// How bad a problem is.
public enum DiagnosisSeverity: Int, Comparable, CaseIterable, Sendable {
  /// Worth knowing; nothing need be done.
  case note
  /// Something does not work as intended, or soon will not.
  case warning
  /// The user is blocked, data is lost, or protection is missing.
  case critical

  /// The case's name.
  public var name: String { "\(self)" }

  /// Milder severities come first.
  public static func < (one: Self, other: Self) -> Bool { one.rawValue < other.rawValue }
}

/// Whom a problem harmed.
public enum DiagnosisHarm: Int, Comparable, CaseIterable, Sendable {
  /// No user: what it concerns need not have what it lacks, such as a guest beside the one whom the app is for.
  case bystander
  /// No user yet: a thing is not as it should be.
  case irregular
  /// A user: who was kept out, or whose data was lost or open.
  case user

  /// Milder harm comes first.
  public static func < (one: Self, other: Self) -> Bool { one.rawValue < other.rawValue }
}

/// How certain a problem is.
public enum DiagnosisConfidence: Int, Comparable, CaseIterable, Sendable {
  /// The history fits, and so would other explanations.
  case possible
  /// Another explanation is unusual.
  case likely
  /// The history proves it.
  case certain

  /// The case's name.
  public var name: String { "\(self)" }

  /// Less certain ones come first.
  public static func < (one: Self, other: Self) -> Bool { one.rawValue < other.rawValue }
}
