import AppProtection

/// Which level of the data protection framework a policy meets, and what keeps it from the next.
///
/// ```swift
/// let assessment = LevelAssessment(of: policy, against: .newest)
/// print(assessment.level?.rawValue ?? 0, assessment.missing(at: .high).map(\.row.title))
/// ```
///
/// A policy meets a level if every setting for which that level or one below it names a value has one at least as strict.
/// What cannot be judged does not meet a level. Apps and assignments are not part of one.
public struct LevelAssessment: Sendable {
  /// Why a setting does not simply meet a level.
  public enum Outcome: String, Sendable, CaseIterable {
    /// The value is not strict enough, or not set.
    case missing
    /// The value is not known: the policy's source does not report it, or it has a name that this program does not know.
    case unknown
    /// The value is admitted on a condition that no policy states.
    case conditional
  }

  /// A setting that does not simply meet a level.
  public struct Entry: Sendable {
    /// The setting.
    public let row: FrameworkRow
    /// What the level demands; its own level may be lower.
    public let demand: FrameworkDemand
    /// Why the setting does not meet it.
    public let outcome: Outcome
    /// More about the reason; `nil` where the values say all.
    public let reason: String?
  }

  /// The revision with which the policy was compared.
  public let revision: FrameworkRevision
  /// The highest level that is met; `nil` for none.
  public let level: FrameworkLevel?
  /// Whether the revision has values for the policy's platform; without them, no level is met and nothing is missing.
  public let isCovered: Bool
  private let entries: [FrameworkLevel: [Entry]]

  /// Compares a policy with every level of a revision.
  ///
  /// - Parameters:
  ///   - isFromDevice: Whether it was read from a device, which does not report every setting.
  ///   - isPartial: Whether the program that exported it leaves many settings out.
  ///   - lost: The members whose values are lost or unreadable.
  public init(
    of policy: PolicyDocument, isFromDevice: Bool = false, isPartial: Bool = false, lost: Set<String> = [],
    against revision: FrameworkRevision = .newest
  ) {
    let platform = policy.kind.platform
    let unknown = UnknownSettings(isFromDevice: isFromDevice, isPartial: isPartial, lost: lost)
    isCovered = revision >= .first(on: platform)
    let rows = isCovered ? FrameworkRow.all(on: platform) : []
    var entries: [FrameworkLevel: [Entry]] = [:]
    for level in FrameworkLevel.allCases {
      entries[level] = rows.compactMap { row in
        guard let demand = row.demand(of: level, in: revision) else { return nil }
        if demand.level < level { return entries[demand.level]?.first { $0.row.id == row.id } }
        return Self.entry(row, demand, policy, unknown)
      }
    }
    self.revision = revision
    self.entries = entries
    level = FrameworkLevel.allCases.last { level in
      !rows.isEmpty && entries[level, default: []].allSatisfy { $0.outcome == .conditional }
    }
  }

  /// The next level above the one that is met; `nil` at the highest.
  public var next: FrameworkLevel? { FrameworkLevel(rawValue: (level?.rawValue ?? 0) + 1) }

  /// The settings that keep a policy from a level, in the order of the table; those of the levels below it are among them.
  public func missing(at level: FrameworkLevel) -> [Entry] {
    entries[level, default: []].filter { $0.outcome != .conditional }
  }

  /// The settings that are admitted on a condition, of every level up to this one.
  public func conditional(at level: FrameworkLevel) -> [Entry] {
    entries[level, default: []].filter { $0.outcome == .conditional }
  }

  private static let lost = "the value in the document is lost or unreadable"
  private static let leftOut = "the exporting program may leave it out"

  /// Why a policy does not simply have what is demanded; `nil` if it does.
  static func entry(
    _ row: FrameworkRow, _ demand: FrameworkDemand, _ policy: PolicyDocument, _ unknown: UnknownSettings
  ) -> Entry? {
    guard !demand.acceptsAll else { return nil }
    let isPartial = unknown.isPartial
    func entry(_ outcome: Outcome, _ reason: String?) -> Entry {
      Entry(row: row, demand: demand, outcome: outcome, reason: reason)
    }
    // Many comparisons take an absent list for an empty one.
    if row.properties.contains(where: unknown.isLost) || row.hangs(on: unknown.lost, demand, policy) {
      return entry(.unknown, Self.lost)
    }
    switch row.comparison.verdict(demand, row.properties, policy) {
    case .met:
      // An absent list counts as empty, and an absent flag as off.
      guard isPartial, row.verdicts(demand, policy, lacking: policy).contains(false) else { return nil }
      return entry(.unknown, leftOut)
    case .unknown(let reason): return entry(.unknown, reason)
    case .missing(let reason):
      if let condition = row.condition { return entry(.conditional, condition) }
      // What the source does not report may be as strict as can be.
      var best = policy
      for property in demand.values where unknown.leavesOut(property, policy) {
        best[property] = demand.policy[property]
      }
      if case .met = row.comparison.verdict(demand, row.properties, best) {
        return entry(.unknown, isPartial ? leftOut : "a device does not report it")
      }
      if isPartial, row.verdicts(demand, best, lacking: policy).contains(true) { return entry(.unknown, leftOut) }
      let isAbsent = row.properties.allSatisfy { policy[$0] == .absent }
      if isAbsent, isPartial { return entry(.unknown, leftOut) }
      return entry(.missing, reason ?? (isAbsent ? "not in the document" : nil))
    }
  }
}

extension FrameworkRow {
  /// Whether a policy meets a demand with one value of another setting, which is unknown, and not with another.
  fileprivate func hangs(on lost: Set<String>, _ demand: FrameworkDemand, _ policy: PolicyDocument) -> Bool {
    func isMet(_ policy: PolicyDocument) -> Bool {
      if case .met = comparison.verdict(demand, properties, policy) { true } else { false }
    }
    guard !lost.isEmpty, !demand.acceptsAll else { return false }
    let isMetNow = isMet(policy)
    return policy.kind.platform.properties.contains { property in
      lost.contains(property.name)
        && property.extremes.contains { value in
          var other = policy
          other[property] = .value(value)
          return isMet(other) != isMetNow
        }
    }
  }

  /// Whether a policy meets a demand with each of the values that it may have and that a document lacks.
  fileprivate func verdicts(
    _ demand: FrameworkDemand, _ policy: PolicyDocument, lacking document: PolicyDocument
  ) -> [Bool] {
    properties.filter { document[$0] == .absent }.flatMap { property in
      property.looseExtremes.map { value in
        var policy = policy
        policy[property] = .value(value)
        if case .met = comparison.verdict(demand, properties, policy) { return true } else { return false }
      }
    }
  }
}

extension PolicyProperty {
  /// Of ``extremes`` those that a level may ask for: a duration or a date is met by none.
  fileprivate var looseExtremes: [PolicyValue] {
    switch kind {
    case .duration, .date, .apps, .assignments: []
    case .text, .flag, .number, .choice, .choices, .flags, .texts, .pairs: extremes
    }
  }
}
