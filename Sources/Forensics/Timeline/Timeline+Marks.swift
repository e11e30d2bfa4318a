import EventSourcing
import Journal

extension Timeline {
  /// Something worth a look.
  public struct Mark: Equatable, Sendable {
    /// What kind of thing a mark names.
    public enum Kind: String, Sendable {
      /// A change of the device's clock.
      case clock
      /// Damage, a gap, or the place from which no state is known.
      case damage
      /// A likely mistake in the app.
      case finding
      /// A problem that the domain's rules found in the history.
      case problem
    }

    /// What kind of thing it is.
    public let kind: Kind
    /// How serious it is.
    public let tone: LaneTone
    /// The index of the event that it precedes, or of the event itself for a finding and a problem; the number of events for
    /// one after the last.
    public let place: Int
    /// What it is, in a few words.
    public let title: String
    /// What it is, in a sentence.
    public let text: String
    /// What to do; empty for nothing in particular.
    public let next: String
    /// The indices of the events that show it, the deciding one first.
    public let evidence: [Int]

    /// Hidden characters in the texts are spelled out.
    init(
      _ kind: Kind, _ tone: LaneTone, place: Int, _ title: String, _ text: String, next: String = "",
      evidence: [Int] = []
    ) {
      (self.kind, self.tone, self.place, self.evidence) = (kind, tone, place, evidence)
      self.title = VisibleText.of(title, limit: 80)
      self.text = VisibleText.of(text, limit: Timeline.maximumText)
      self.next = VisibleText.of(next, limit: Timeline.maximumText)
    }

    /// A finding about the journal's bytes.
    init(_ finding: Finding, place: Int) {
      self.init(
        .damage, finding.isDamage ? .bad : .warning, place: place, finding.verdict.name, finding.description,
        next: finding.remedy)
    }
  }

  /// Adds a finding about bytes that the events do not pass, such as those of a file that only helps, unless it is there.
  public mutating func add(_ finding: Finding) {
    let mark = Mark(finding, place: events.count)
    if !marks.contains(where: { $0.text == mark.text }) { add(mark) }
  }

  /// Adds the problems of a history, each at the event that decided it. What lies outside the drawing is marked at its edge.
  ///
  /// - Parameter tool: The name of the tool that has the commands of the next steps.
  public mutating func add<Domain: DiagnosisDomain>(
    _ diagnosis: HistoryDiagnosis<Domain>, _ redaction: Redaction, tool: String = "pj"
  ) {
    for ranked in diagnosis.findings {
      let problem = ranked.diagnosis
      let evidence = problem.evidence.compactMap { $0.sequence.flatMap(index) }
      let first = events.firstIndex { $0.sequence >= problem.decidingEvent } ?? events.count
      let tone: LaneTone =
        switch problem.severity {
        case .critical: .bad
        case .warning: .warning
        case .note: .plain
        }
      let cause = ranked.explainedBy.map { " It follows from \(diagnosis.findings[$0].diagnosis.family.id)." } ?? ""
      let shown = problem.evidence.map {
        ($0.sequence.map { "\($0): " } ?? "") + redaction.shown(sentence: $0.text)
      }.joined(separator: "; ")
      let sentence = redaction.shown(sentence: problem.sentence)
      add(
        Mark(
          .problem, tone, place: evidence.first ?? first, problem.family.id,
          "\(sentence) (\(problem.severity.name), \(problem.confidence.name)).\(cause) Evidence: \(shown).",
          next: redaction.shown(sentence: problem.next) + (problem.command.map { "; \(tool) \($0)" } ?? ""),
          evidence: evidence))
    }
  }

  /// The index of an event; `nil` for one that is not drawn.
  private func index(of sequence: UInt64) -> Int? {
    var (low, high) = (0, events.count)
    while low < high {
      let middle = (low + high) / 2
      if events[middle].sequence < sequence { low = middle + 1 } else { high = middle }
    }
    return low < events.count && events[low].sequence == sequence ? low : nil
  }

  /// Adds a mark, unless there are too many; keeps them in order.
  mutating func add(_ mark: Mark) {
    guard marks.count < Self.maximumMarks else { return }
    let place = marks.lastIndex { $0.place <= mark.place }.map { $0 + 1 } ?? 0
    marks.insert(mark, at: place)
  }
}
