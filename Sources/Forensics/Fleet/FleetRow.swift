import EventSourcing

/// What was found about one journal of many.
///
/// It has no more than ``maximumFindings`` problems and ``maximumNames`` names of each kind, however long the journal is.
/// Its texts name accounts by their numbers.
public struct FleetRow: Equatable, Sendable {
  /// The most problems that a row names.
  public static let maximumFindings = 64
  /// The most versions, models and policies of each kind that a row names.
  public static let maximumNames = 64

  /// The file or folder that was named, as it was named.
  public var folder: String
  /// The journal's place below it; `.` for the named one itself.
  public var path: String
  /// What became of it.
  public var outcome: Outcome
  /// Why it was not read, or not to its end; `nil` if it was.
  public var error: String?
  /// Whether its bytes are sound.
  public var bytes = Bytes.unread
  /// Whether its recorded states are those of the rules.
  public var states = States.unknown
  /// The journal's identity; `nil` if it was not read.
  public var id: String?
  /// The number of its events.
  public var events: UInt64 = 0
  /// Its first event; `nil` if it has none.
  public var first: Mark?
  /// Its last event; `nil` if it has none.
  public var last: Mark?
  /// The last event that was judged; 0 if none was.
  public var judgedUpTo: UInt64 = 0
  /// The number of places whose bytes are damaged.
  public var damagedPlaces: UInt64 = 0
  /// The number of events that are known to be lost.
  public var lostEvents: UInt64 = 0
  /// The versions of the app, in the order of their first occurrence.
  public var app: [String] = []
  /// The versions of the engine, in that order.
  public var engine: [String] = []
  /// The versions of the operating system, in that order.
  public var system: [String] = []
  /// The models of the device, in that order.
  public var model: [String] = []
  /// The policies that it received, in the order of their first occurrence.
  public var policies: [HistoryEnvironment.Policy] = []
  /// The problems, as `HistoryDiagnosis` orders them: causes first, each directly followed by what it led to.
  public var findings: [Finding] = []
  /// The number of milder problems left out.
  public var leftOut: UInt64 = 0

  /// What became of a journal, the best first.
  public enum Outcome: String, CaseIterable, Sendable {
    /// Read to its end, and nothing was found.
    case clean
    /// Nothing worse than a note was found.
    case notes
    /// At least one problem was found that is worse than a note.
    case problems
    /// Recorded states are not those of the rules.
    case differs
    /// Bytes are damaged, or events are lost.
    case damaged
    /// It belongs to another domain: its bytes are sound, and nothing more can be determined.
    case otherDomain
    /// It needs a newer program.
    case newer
    /// It cannot be read.
    case unreadable
  }

  /// Whether a journal's bytes are sound.
  public enum Bytes: String, CaseIterable, Sendable {
    /// Every byte that should verify does.
    case sound
    /// The bytes are sound, but events were lost or retired before, so that not everything is there.
    case incomplete
    /// Bytes are damaged, or missing.
    case damaged
    /// They could not be read.
    case unread
  }

  /// Whether a journal's recorded states are those of the rules.
  public enum States: String, CaseIterable, Sendable {
    /// All that were compared agree.
    case agree
    /// One does not.
    case differ
    /// Nothing could be compared, or not everything.
    case unknown
  }

  /// An event, and when it happened.
  public struct Mark: Equatable, Sendable {
    /// Its number.
    public var event: UInt64
    /// When it was decided, in nanoseconds since 1970-01-01T00:00:00Z.
    public var nanoseconds: Int64

    /// An event and its time.
    public init(event: UInt64, nanoseconds: Int64) { (self.event, self.nanoseconds) = (event, nanoseconds) }
  }

  /// A problem.
  public struct Finding: Equatable, Sendable {
    /// The kind of problem.
    public var family: String
    /// How bad it is.
    public var severity: DiagnosisSeverity
    /// Whom or what it concerns, such as `a1`; `nil` for the whole history.
    public var subject: String?
    /// What is wrong, in one sentence without a full stop.
    public var sentence: String
    /// How certain it is.
    public var confidence: DiagnosisConfidence
    /// The event that decided it; `nil` if it is none that the history has.
    public var event: UInt64?
    /// The type of that event; `nil` where it cannot be read.
    public var type: String?
    /// When it happened, in nanoseconds since 1970-01-01T00:00:00Z; `nil` where it cannot be read.
    public var nanoseconds: Int64?
    /// The last event up to which it held; `nil` if it holds at the end.
    public var until: UInt64?
    /// The place in ``FleetRow/findings`` of the problem that led to it; `nil` if it is a cause itself.
    public var explainedBy: Int?
    /// Whether nothing of it is left at the end.
    public var isOver = false
  }

  /// The row with the problems alone that hold at the end. Whether the journal has problems is said of those.
  public var limitedToNow: FleetRow {
    var row = self
    let kept = findings.indices.filter { !findings[$0].isOver }
    let places = Dictionary(uniqueKeysWithValues: zip(kept, kept.indices))
    row.findings = kept.map { index in
      var finding = findings[index]
      finding.explainedBy = finding.explainedBy.flatMap { places[$0] }
      return finding
    }
    guard outcome == .problems || outcome == .notes else { return row }
    let worst = row.findings.map(\.severity).max()
    row.outcome = worst.map { $0 > .note ? .problems : .notes } ?? (leftOut > 0 ? .notes : .clean)
    return row
  }

  /// A journal of which nothing is known but what became of it.
  public init(folder: String, path: String, _ outcome: Outcome, error: String? = nil) {
    (self.folder, self.path, self.outcome, self.error) = (folder, path, outcome, error)
  }
}
