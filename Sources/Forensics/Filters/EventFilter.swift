/// Which events are wanted: all criteria must hold, and of several values of one criterion any one.
///
/// The filter counts what it sees, so that it can say why nothing came through: see ``reasonForNothing()``.
public struct EventFilter {
  /// The types that are wanted; none means all.
  public var types: [Glob] = []
  /// The types that are not wanted.
  public var excludedTypes: [Glob] = []
  /// The accounts that are wanted: pseudonyms, object ids or user principal names; none means all.
  public var accounts: [Glob] = []
  /// The parts of the state that must have changed, any of them; none means all.
  public var paths: [Glob] = []
  /// Whether only events are wanted that say something about mistakes of the app.
  public var wantsFindings = false
  /// The event that must be the cause, or the cause of the cause, and so on; `nil` means all.
  public var causedBy: UInt64?
  /// What must be found in the event as it is shown; `nil` means all.
  public var search: TextPattern?
  /// A condition; `nil` means all.
  public var condition: FilterExpression?

  /// How many events were seen.
  public private(set) var seen: UInt64 = 0
  /// How many events came through.
  public private(set) var matched: UInt64 = 0

  private var passedAlone = [UInt64](repeating: 0, count: Criterion.allCases.count)
  /// For how many events a criterion cannot be judged, since a state around them is unknown.
  private var unjudged = [UInt64](repeating: 0, count: Criterion.allCases.count)
  private var typeCounts: [String: UInt64] = [:]
  private var accountsSeen: Set<String> = []
  private var pathsSeen: Set<String> = []
  private var consequences: Set<UInt64> = []

  /// The most distinct paths that are remembered for suggestions.
  private static let maximumPathsRemembered = 10_000

  private enum Criterion: Int, CaseIterable {
    case type, notType, account, path, findings, cause, search, condition

    var option: String {
      switch self {
      case .type: "--type"
      case .notType: "--not-type"
      case .account: "--account"
      case .path: "--path"
      case .findings: "--findings"
      case .cause: "--caused-by"
      case .search: "-g"
      case .condition: "-w"
      }
    }
  }

  /// Creates a filter that lets everything through.
  public init() {}

  /// Whether nothing is asked for.
  public var isEmpty: Bool { active.isEmpty }

  /// Whether an event is wanted. Every event of the stretch looked at is to be shown, in order.
  public mutating func admits(_ subject: FilterSubject) -> Bool {
    seen += 1
    let criteria = active
    guard !criteria.isEmpty else {
      matched += 1
      return true
    }
    if causedBy != nil { follow(subject) }
    if matched > 0 {
      let passes = criteria.allSatisfy { holds($0, for: subject) == true }
      if passes { matched += 1 }
      return passes
    }
    // Until something comes through, every criterion is judged on its own, to be able to say which one kept all out.
    remember(subject)
    var passes = true
    for criterion in criteria {
      let holds = holds(criterion, for: subject)
      if holds == true { passedAlone[criterion.rawValue] += 1 } else { passes = false }
      if holds == nil { unjudged[criterion.rawValue] += 1 }
    }
    if passes { matched += 1 }
    return passes
  }

  /// The parts of the state that are asked for, by ``paths`` and by the condition: an event's line shows what became of
  /// them.
  public var shownPaths: [PathPattern] { (paths + (condition?.paths ?? [])).map { PathPattern($0) } }

  /// Why no event came through, in one line with the nearest names there are; `nil` when some did.
  public func reasonForNothing() -> String? {
    guard matched == 0 else { return nil }
    guard seen > 0 else { return "there are no events in this stretch" }
    for criterion in active where passedAlone[criterion.rawValue] == 0 {
      switch criterion {
      case .type: return typeReason()
      case .notType: return "\(list(excludedTypes)) leaves no event: every type is excluded"
      case .account:
        let known = accountsSeen.sorted { ($0.count, $0) < ($1.count, $1) }
        let names = known.prefix(10).joined(separator: ", ") + (known.count > 10 ? ", …" : "")
        return "--account \(list(accounts)) is in no event; "
          + (known.isEmpty ? "no event concerns an account" : "accounts here: \(names)")
      case .path: return pathReason() + unjudgedText(criterion)
      case .findings:
        let judged = seen - unjudged[criterion.rawValue]
        guard judged > 0 else { return "--findings\(unjudgedText(criterion, after: ": "))" }
        return "--findings: none of \(judged) events says anything about a mistake of the app\(unjudgedText(criterion))"
      case .cause: return "--caused-by \(causedBy ?? 0): no event followed from it"
      case .search: return "-g: the expression is found in none of \(seen) events"
      case .condition: return "-w: the condition holds for none of \(seen) events\(unjudgedText(criterion))"
      }
    }
    let counts = active.map { "\($0.option) \(passedAlone[$0.rawValue])" }.joined(separator: ", ")
    return "no event passes all filters at once; alone they let through: \(counts)"
  }

  private var active: [Criterion] {
    Criterion.allCases.filter { criterion in
      switch criterion {
      case .type: !types.isEmpty
      case .notType: !excludedTypes.isEmpty
      case .account: !accounts.isEmpty
      case .path: !paths.isEmpty
      case .findings: wantsFindings
      case .cause: causedBy != nil
      case .search: search != nil
      case .condition: condition != nil
      }
    }
  }

  /// Whether a criterion is met; `nil` when a state around the event is unknown, and with it the answer.
  private func holds(_ criterion: Criterion, for subject: FilterSubject) -> Bool? {
    switch criterion {
    case .type: types.contains { $0.matches(subject.type) }
    case .notType: !excludedTypes.contains { $0.matches(subject.type) }
    case .account: accounts.contains { pattern in subject.accounts().contains { $0.matches(pattern) } }
    case .path:
      subject.changedPaths().map { changed in
        paths.contains { pattern in changed.contains { PathPattern(pattern).matches($0) } }
      }
    case .findings: subject.findings().map { !$0.isEmpty }
    case .cause: consequences.contains(subject.sequence)
    case .search: search?.isFound(in: subject.shownText()) ?? true
    case .condition: condition.map { $0.holds(for: subject) } ?? true
    }
  }

  private mutating func follow(_ subject: FilterSubject) {
    let causes = [subject.cause, subject.orderedBy() ?? 0].filter { $0 != 0 }
    if causes.contains(where: { $0 == causedBy || consequences.contains($0) }) { consequences.insert(subject.sequence) }
  }

  private mutating func remember(_ subject: FilterSubject) {
    if !types.isEmpty { typeCounts[subject.type, default: 0] += 1 }
    if !accounts.isEmpty { accountsSeen.formUnion(subject.accounts().map(\.pseudonym)) }
    if !paths.isEmpty, pathsSeen.count < Self.maximumPathsRemembered {
      pathsSeen.formUnion(subject.changedPaths() ?? [])
    }
  }

  /// Of how many events a criterion says nothing; empty when it judges all.
  private func unjudgedText(_ criterion: Criterion, after separator: String = "; ") -> String {
    let count = unjudged[criterion.rawValue]
    return count == 0
      ? "" : "\(separator)\(count) event\(count == 1 ? "" : "s") cannot be judged: the state there is unknown"
  }

  private func list(_ globs: [Glob]) -> String { globs.map(\.pattern).joined(separator: ", ") }

  private func typeReason() -> String {
    let nearest = types.lazy.compactMap { NearestType.of($0, among: typeCounts) }.first
    return "--type \(list(types)) matches no event type here; "
      + (nearest.map { "nearest: \($0) (\(typeCounts[$0] ?? 0))" } ?? "'pj stats' lists the types")
  }

  private func pathReason() -> String {
    let nearest = paths.lazy.compactMap { NearestPath.of($0.pattern, among: pathsSeen.sorted()) }.first
    return "--path \(list(paths)): no event changed it; "
      + (nearest.map { "nearest: \($0)" } ?? "'pj state --flat' lists the paths")
  }
}
