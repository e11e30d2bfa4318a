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
      /// A likely mistake in the app, or a cause that the domain's rules found.
      case finding
    }

    /// What kind of thing it is.
    public let kind: Kind
    /// How serious it is.
    public let tone: LaneTone
    /// The index of the event that it precedes, or of the event itself for a finding; the number of events for one behind
    /// the last.
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
        .damage, finding.isDamage ? .bad : .warning, place: place, finding.verdict.name, finding.description)
    }
  }

  /// Adds a finding about bytes that the events do not pass, such as those of a file that only helps, unless it is there.
  public mutating func add(_ finding: Finding) {
    let mark = Mark(finding, place: events.count)
    if !marks.contains(where: { $0.text == mark.text }) { add(mark) }
  }

  /// Adds a mark, unless there are too many; keeps them in order.
  mutating func add(_ mark: Mark) {
    guard marks.count < Self.maximumMarks else { return }
    let place = marks.lastIndex { $0.place <= mark.place }.map { $0 + 1 } ?? 0
    marks.insert(mark, at: place)
  }
}
