import PlainText

/// Selects events: all criteria must hold, and a criterion with several values needs only one of them.
///
/// The filter counts the events it sees, so that it can explain an empty result: see ``reasonForNothing(_:)``.
public struct EventFilter: Sendable {
  /// The types to include; empty means all.
  public var types: [Glob] = []
  /// The types to exclude.
  public var excludedTypes: [Glob] = []
  /// The accounts to include, as pseudonyms, object ids or user principal names; empty means all.
  public var accounts: [Glob] = []
  /// Parts of the state of which at least one must have changed; empty means all.
  public var paths: [Glob] = []
  /// Whether only events with findings, which report likely mistakes in the app, are included.
  public var wantsFindings = false
  /// The event that must be a direct or indirect cause; `nil` means any.
  public var causedBy: UInt64?
  /// A pattern that the displayed event must contain; `nil` means any.
  public var search: TextPattern?
  /// A condition that must hold; `nil` means none.
  public var condition: FilterExpression?

  /// Number of events seen.
  public private(set) var seen: UInt64 = 0
  /// Number of events admitted.
  public private(set) var matched: UInt64 = 0

  /// What is judged, as of the first event.
  private var criteria: [Criterion] = []
  private var passedAlone = [UInt64](repeating: 0, count: Criterion.allCases.count)
  /// For each criterion, the number of events it could not judge because a state around them is unknown.
  private var unjudged = [UInt64](repeating: 0, count: Criterion.allCases.count)
  private var typeCounts: [String: UInt64] = [:]
  private var accountsSeen: Set<String> = []
  private var pathsSeen: Set<String> = []
  private var consequences: Set<UInt64> = []
  /// Whether each type that came up is among ``types``, and among ``excludedTypes``.
  private var typeVerdicts: [String: (isWanted: Bool, isExcluded: Bool)] = [:]

  /// The most types whose verdicts are remembered.
  private static let maximumVerdicts = 4096

  /// The most distinct paths remembered for suggestions.
  private static let maximumPathsRemembered = 10_000

  /// What an event is selected by.
  public enum Criterion: Int, CaseIterable, Sendable {
    /// ``EventFilter/types``.
    case type
    /// ``EventFilter/excludedTypes``.
    case notType
    /// ``EventFilter/accounts``.
    case account
    /// ``EventFilter/paths``.
    case path
    /// ``EventFilter/wantsFindings``.
    case findings
    /// ``EventFilter/causedBy``.
    case cause
    /// ``EventFilter/search``.
    case search
    /// ``EventFilter/condition``.
    case condition

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

  /// A filter that admits every event.
  public init() {}

  /// Whether the filter has no criteria.
  public var isEmpty: Bool { active.isEmpty }

  /// Whether the filter admits an event. Pass every event of the range, in order, and change no criterion in between.
  public mutating func admits(_ subject: @autoclosure () -> FilterSubject) -> Bool {
    if seen == 0 { criteria = active }
    seen += 1
    guard !criteria.isEmpty else {
      matched += 1
      return true
    }
    let subject = subject()
    if causedBy != nil { follow(subject) }
    let verdict = typeVerdict(subject.type)
    if matched > 0 {
      let passes = criteria.allSatisfy { holds($0, for: subject, verdict) == true }
      if passes { matched += 1 }
      return passes
    }
    // Until an event is admitted, every criterion is judged separately, to report which one excluded everything.
    remember(subject)
    var passes = true
    for criterion in criteria {
      let holds = holds(criterion, for: subject, verdict)
      if holds == true { passedAlone[criterion.rawValue] += 1 } else { passes = false }
      if holds == nil { unjudged[criterion.rawValue] += 1 }
    }
    if passes { matched += 1 }
    return passes
  }

  /// Whether the type of an event is all that is asked.
  package var judgesTypesAlone: Bool {
    let active = active
    return !active.isEmpty && active.allSatisfy { $0 == .type || $0 == .notType }
  }

  /// Counts an event of a type if that keeps it out: the same as ``admits(_:)`` for a filter that ``judgesTypesAlone``.
  /// Returns `false`, and counts nothing, for an event that is admitted.
  package mutating func keepsOut(type: String) -> Bool {
    let verdict = typeVerdict(type)
    guard !(types.isEmpty || verdict.isWanted) || verdict.isExcluded else { return false }
    if seen == 0 { criteria = active }
    seen += 1
    guard matched == 0 else { return true }
    if !types.isEmpty {
      typeCounts[type, default: 0] += 1
      if verdict.isWanted { passedAlone[Criterion.type.rawValue] += 1 }
    }
    if !excludedTypes.isEmpty, !verdict.isExcluded { passedAlone[Criterion.notType.rawValue] += 1 }
    return true
  }

  /// Whether a type is among those to include, and among those to exclude. A pattern is compared once with each type.
  private mutating func typeVerdict(_ type: String) -> (isWanted: Bool, isExcluded: Bool) {
    guard !types.isEmpty || !excludedTypes.isEmpty else { return (true, false) }
    if let known = typeVerdicts[type] { return known }
    let verdict = (types.contains { $0.matches(type) }, excludedTypes.contains { $0.matches(type) })
    if typeVerdicts.count < Self.maximumVerdicts { typeVerdicts[type] = verdict }
    return verdict
  }

  /// Whether a filter that has seen no event yet judges later events as this one would: threads can then judge stretches
  /// of a history on their own, and ``add(_:)`` counts what they saw.
  package var judgesEventsAlone: Bool { causedBy == nil && paths.isEmpty }

  /// Counts what a filter with the same criteria saw of the events after those of this one. Both
  /// ``judgesEventsAlone``.
  package mutating func add(_ later: EventFilter) {
    if seen == 0 { criteria = later.criteria }
    seen += later.seen
    matched += later.matched
    for index in passedAlone.indices { passedAlone[index] += later.passedAlone[index] }
    for index in unjudged.indices { unjudged[index] += later.unjudged[index] }
    typeCounts.merge(later.typeCounts, uniquingKeysWith: +)
    accountsSeen.formUnion(later.accountsSeen)
  }

  /// The parts of the state that ``paths`` and the condition ask for: an event's line shows how they changed.
  public var shownPaths: [PathPattern] { (paths + (condition?.paths ?? [])).map { PathPattern($0) } }

  /// The first criterion that no event met; `nil` if each was met by some event.
  public var unmet: Criterion? {
    matched > 0 || seen == 0 ? nil : active.first { passedAlone[$0.rawValue] == 0 }
  }

  /// Why no event was admitted, in one line with the nearest existing names that `redaction` shows; `nil` if some were.
  public func reasonForNothing(_ redaction: Redaction = .on) -> String? {
    guard matched == 0 else { return nil }
    guard seen > 0 else { return "this stretch holds no events" }
    if let criterion = unmet {
      switch criterion {
      case .type: return typeReason()
      case .notType: return "\(list(excludedTypes)) excludes every event"
      case .account:
        let known = accountsSeen.sorted { ($0.count, $0) < ($1.count, $1) }
        let names = known.prefix(10).joined(separator: ", ") + (known.count > 10 ? ", …" : "")
        return "--account \(list(accounts)) matches no event; "
          + (known.isEmpty ? "no event concerns an account" : "accounts here: \(names)")
      case .path: return pathReason(redaction) + unjudgedText(criterion)
      case .findings:
        let judged = seen - unjudged[criterion.rawValue]
        guard judged > 0 else { return "--findings\(unjudgedText(criterion, after: ": "))" }
        return "--findings: none of \(judged) events points to a mistake in the app\(unjudgedText(criterion))"
      case .cause: return "--caused-by \(causedBy ?? 0): no event followed from it"
      case .search: return "-g: the expression matches none of \(seen) events"
      case .condition: return "-w: the condition holds for none of \(seen) events\(unjudgedText(criterion))"
      }
    }
    let counts = active.map { "\($0.option) \(passedAlone[$0.rawValue])" }.joined(separator: ", ")
    return "no event passes all filters; individually they admit: \(counts)"
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

  /// Whether an event meets a criterion; `nil` if a state around the event, and so the answer, is unknown.
  private func holds(
    _ criterion: Criterion, for subject: FilterSubject, _ verdict: (isWanted: Bool, isExcluded: Bool)
  ) -> Bool? {
    switch criterion {
    case .type: verdict.isWanted
    case .notType: !verdict.isExcluded
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

  /// The number of events that a criterion could not judge, as text; empty if it judged all.
  private func unjudgedText(_ criterion: Criterion, after separator: String = "; ") -> String {
    let count = unjudged[criterion.rawValue]
    return count == 0
      ? "" : "\(separator)\(count.counted("event")) cannot be judged: the state there is unknown"
  }

  private func list(_ globs: [Glob]) -> String { globs.map(\.pattern).joined(separator: ", ") }

  private func typeReason() -> String {
    let nearest = types.lazy.compactMap { NearestType.of($0, among: typeCounts) }.first
    return "--type \(list(types)) matches no event type here; "
      + (nearest.map { "nearest: \($0) (\(typeCounts[$0] ?? 0))" } ?? "no type here is near")
  }

  private func pathReason(_ redaction: Redaction) -> String {
    let nearest = paths.lazy.compactMap { NearestPath.of($0.pattern, among: pathsSeen.sorted(), redaction) }.first
    return "--path \(list(paths)): no event changed it; "
      + (nearest.map { "nearest: \($0)" } ?? "no path here is near")
  }
}
