import EventSourcing
import PlainText

/// What many rows have in common: how many of each outcome, family, version and policy, and the most frequent causes.
///
/// Memory does not grow with the number of rows: of each kind of group, at most ``maximumGroups`` are counted apart, those
/// that came first.
public struct FleetSummary: Sendable {
  /// The most groups of each kind that are counted apart.
  public static let maximumGroups = 4_096

  /// What groups are made by.
  public enum Kind: String, CaseIterable, Sendable {
    case outcome, severity, family, app, engine, system, model, policy, revision
  }

  /// Journals that have something in common.
  public struct Group: Equatable, Sendable {
    /// What it is made by.
    public var kind: Kind
    /// What its journals have in common; the policy's identifier for a revision.
    public var name: String
    /// The revision of the policy; `nil` for other groups.
    public var revision: String?
    /// The number of its journals.
    public var journals: UInt64 = 0
    /// The number of those among them in which more than notes was found.
    public var affected: UInt64 = 0
    /// The number of findings in its journals; those of its family or severity where it is made by one.
    public var findings: UInt64 = 0
  }

  /// Problems that were not led to by another one, of one family, decided by one type of event.
  public struct Cause: Equatable, Sendable {
    /// The kind of problem.
    public var family: String
    /// The type of the deciding event; `nil` where the history does not have it.
    public var type: String?
    /// The worst severity among them.
    public var severity: DiagnosisSeverity
    /// The number of journals with such a problem.
    public var journals: UInt64 = 0
    /// The number of such problems.
    public var findings: UInt64 = 0
    /// The file or folder that was named, in which the example is.
    public var folder: String
    /// The place of the example below it: the first journal with the worst of these problems.
    public var path: String
    /// The problem in that journal.
    public var example: FleetRow.Finding
  }

  /// The number of journals.
  public private(set) var journals: UInt64 = 0
  /// The number of all findings.
  public private(set) var findings: UInt64 = 0
  /// The number of journals whose groups were too many to be counted apart.
  public private(set) var leftOut: UInt64 = 0

  private var groups: [Key: Group] = [:]
  private var counts: [Kind: Int] = [:]
  private var found: [CauseKey: Cause] = [:]

  private struct Key: Hashable, Sendable {
    var kind: Kind
    var name: String
    var revision: String?
  }

  private struct CauseKey: Hashable, Sendable {
    var family: String
    var type: String?
  }

  /// Counts nothing yet.
  public init() {}

  /// Counts a row.
  public mutating func add(_ row: FleetRow) {
    journals += 1
    findings += UInt64(row.findings.count)
    var isLeftOut = false
    func count(_ kind: Kind, _ name: String, _ revision: String? = nil, findings: Int? = nil) {
      let key = Key(kind: kind, name: name, revision: revision)
      if groups[key] == nil {
        guard counts[kind, default: 0] < Self.maximumGroups else {
          isLeftOut = true
          return
        }
        counts[kind, default: 0] += 1
        groups[key] = Group(kind: kind, name: name, revision: revision)
      }
      groups[key]?.journals += 1
      groups[key]?.affected += row.outcome > .notes ? 1 : 0
      groups[key]?.findings += UInt64(findings ?? row.findings.count)
    }
    count(.outcome, row.outcome.rawValue)
    for (severity, found) in Self.counted(row.findings.map(\.severity.name)) {
      count(.severity, severity, findings: found)
    }
    for (family, found) in Self.counted(row.findings.map(\.family)) { count(.family, family, findings: found) }
    for version in row.app { count(.app, version) }
    for version in row.engine { count(.engine, version) }
    for version in row.system { count(.system, version) }
    for model in row.model { count(.model, model) }
    for id in Self.counted(row.policies.map(\.id)).map(\.name) { count(.policy, id) }
    for policy in row.policies { count(.revision, policy.id, policy.revision) }
    addCauses(of: row)
    if isLeftOut { leftOut += 1 }
  }

  private mutating func addCauses(of row: FleetRow) {
    var seen: Set<CauseKey> = []
    for finding in row.findings where finding.explainedBy == nil {
      let key = CauseKey(family: finding.family, type: finding.type)
      var cause =
        found[key]
        ?? Cause(
          family: finding.family, type: finding.type, severity: finding.severity, folder: row.folder, path: row.path,
          example: finding)
      guard found[key] != nil || found.count < Self.maximumGroups else { continue }
      cause.findings += 1
      if seen.insert(key).inserted { cause.journals += 1 }
      if finding.severity > cause.severity {
        (cause.severity, cause.folder, cause.path, cause.example) = (finding.severity, row.folder, row.path, finding)
      }
      found[key] = cause
    }
  }

  /// How often each name occurs, in the order of the first occurrence.
  private static func counted(_ names: [String]) -> [(name: String, count: Int)] {
    var counts: [(name: String, count: Int)] = []
    for name in names {
      if let place = counts.firstIndex(where: { $0.name == name }) {
        counts[place].count += 1
      } else {
        counts.append((name, 1))
      }
    }
    return counts
  }

  /// The groups of a kind: the most affected journals first, then the most journals, then by name.
  public func groups(by kind: Kind) -> [Group] {
    groups.values.filter { $0.kind == kind }.sorted { one, other in
      if one.affected != other.affected { return one.affected > other.affected }
      if one.journals != other.journals { return one.journals > other.journals }
      if one.name != other.name { return Self.precedes(one.name, other.name) }
      return Self.precedes(one.revision ?? "", other.revision ?? "")
    }
  }

  /// The causes, the most frequent first, then the most severe, then by name.
  public var causes: [Cause] {
    found.values.sorted { one, other in
      if one.journals != other.journals { return one.journals > other.journals }
      if one.severity != other.severity { return one.severity > other.severity }
      if one.family != other.family { return Self.precedes(one.family, other.family) }
      return Self.precedes(one.type ?? "", other.type ?? "")
    }
  }

  private static func precedes(_ one: String, _ other: String) -> Bool {
    one.utf8.lexicographicallyPrecedes(other.utf8)
  }

  /// The number of journals with an outcome.
  public func journals(_ outcome: FleetRow.Outcome) -> UInt64 {
    groups[Key(kind: .outcome, name: outcome.rawValue, revision: nil)]?.journals ?? 0
  }

  /// The worst outcome among the rows.
  public var worst: FleetRow.Outcome {
    FleetRow.Outcome.allCases.last { journals($0) > 0 } ?? .clean
  }
}
