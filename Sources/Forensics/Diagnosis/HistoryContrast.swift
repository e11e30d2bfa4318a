import EventSourcing

/// What differs between a history and one that is known to be healthy: what only one of them has or has far more often, and
/// where their rules answer otherwise at the end.
public struct HistoryContrast<Domain: DiagnosisDomain>: Sendable {
  /// One difference.
  public typealias Difference = HistoryDifference

  /// The most accounts that questions are asked about.
  private static var maximumAccounts: Int { 8 }

  /// So often, what the healthy history never has is no accident (DERIVED).
  private static var notable: UInt64 { 3 }

  /// The most surprising ones first: what occurs here only and is evidence of a problem, or occurs again and again, the most
  /// frequent first; other answers; what both have at rates that differ by more than chance allows; what occurs here only,
  /// hardly ever; and what only the healthy history has.
  public let differences: [Difference]

  /// Compares a history with a healthy one.
  ///
  /// - Parameters:
  ///   - upper: The last event to look at; `nil` means the end.
  ///   - problems: What was found in the history.
  public init(
    of history: History<Domain>, upTo upper: UInt64? = nil, with healthy: History<Domain>,
    problems: [HistoryDiagnosis<Domain>.Ranked]
  ) throws(HistoryError) {
    let (ours, theirs) = (try HistoryFeatures(history, upTo: upper), try HistoryFeatures(healthy, upTo: nil))
    var families: [UInt64: String] = [:]
    for problem in problems.reversed() {
      for sequence in problem.diagnosis.evidence.compactMap(\.sequence) {
        families[sequence] = problem.diagnosis.family.id
      }
    }
    var found = Self.differences(.event, ours.events, theirs.events, families)
    found += Self.differences(.transition, ours.transitions, theirs.transitions, families)
    found += Self.rates(ours, theirs, families)
    let accounts = ours.accounts.filter(theirs.accounts.contains).sorted().prefix(Self.maximumAccounts)
    found += try Self.answers(Array(accounts), history, upper, healthy)
    differences = found.sorted { $0.surprise < $1.surprise }.map(\.difference)
  }

  private typealias Found = (difference: Difference, surprise: Surprise)

  /// How early a difference stands.
  private struct Surprise: Comparable {
    enum Rank: Int { case again, answer, rate, once, missing }

    let rank: Rank
    /// How much there is of it.
    var weight = 0.0
    var isTransition = false
    var first: UInt64 = 0
    var text = ""

    static func < (one: Self, other: Self) -> Bool {
      if one.rank != other.rank { return one.rank.rawValue < other.rank.rawValue }
      if one.weight != other.weight { return one.weight > other.weight }
      if one.isTransition != other.isTransition { return other.isTransition }
      return one.first == other.first ? one.text < other.text : one.first < other.first
    }
  }

  /// What one history has and the other does not.
  private static func differences(
    _ kind: Difference.Kind, _ ours: [String: HistoryFeatures.Occurrence],
    _ theirs: [String: HistoryFeatures.Occurrence], _ families: [UInt64: String]
  ) -> [Found] {
    func found(_ text: String, _ first: UInt64?, _ here: UInt64, _ there: UInt64, _ rank: Surprise.Rank) -> Found {
      (
        Difference(
          kind: kind, text: text, first: first, here: "\(here)", there: "\(there)",
          family: first.flatMap { families[$0] }),
        Surprise(
          rank: rank, weight: Double(max(here, there)), isTransition: kind == .transition, first: first ?? 0, text: text
        )
      )
    }
    let here = ours.filter { theirs[$0.key] == nil }.map { text, occurrence in
      let isNotable = occurrence.count >= notable || families[occurrence.first] != nil
      return found(text, occurrence.first, occurrence.count, 0, isNotable ? .again : .once)
    }
    let there = theirs.filter { ours[$0.key] == nil }.map { text, occurrence in
      found(text, nil, 0, occurrence.count, .missing)
    }
    return here + there
  }

  /// The kinds of event that both histories have, in shares that differ by more than chance allows.
  private static func rates(
    _ ours: HistoryFeatures, _ theirs: HistoryFeatures, _ families: [UInt64: String]
  ) -> [Found] {
    ours.events.compactMap { text, here in
      guard let there = theirs.events[text] else { return nil }
      let deviation = deviation(here.count, of: ours.count, there.count, of: theirs.count)
      guard deviation > leastDeviation else { return nil }
      return (
        Difference(
          kind: .event, text: text, first: here.first, here: "\(here.count)", there: "\(there.count)",
          family: families[here.first]),
        Surprise(rank: .rate, weight: deviation, first: here.first, text: text)
      )
    }
  }

  /// Pearson's chi-squared with one degree of freedom: at 10.83, chance alone does as much once in a thousand times.
  private static var leastDeviation: Double { 10.83 }

  private static func deviation(_ here: UInt64, of ours: UInt64, _ there: UInt64, of theirs: UInt64) -> Double {
    let (a, b) = (Double(here), Double(there))
    let (c, d) = (Double(ours) - a, Double(theirs) - b)
    let expected = (a + b) * (c + d) * (a + c) * (b + d)
    return expected > 0 ? (a * d - b * c) * (a * d - b * c) * (a + b + c + d) / expected : 0
  }

  /// Questions about one account, or none, that are answered otherwise at the end.
  private static func answers(
    _ numbers: [UInt64], _ history: History<Domain>, _ upper: UInt64?, _ healthy: History<Domain>
  ) throws(HistoryError) -> [Found] {
    guard let ours = try end(history, upper), let theirs = try end(healthy, nil) else { return [] }
    func answer(_ question: Domain.Question, _ end: (state: Domain.State, moment: Moment)) -> String {
      var explanation = Explanation()
      return Domain.answer(question, in: end.state, at: end.moment, explanation: &explanation).name
    }
    var differences: [Found] = []
    for form in Domain.questions where form.parameters.count <= 1 {
      let accounts =
        form.parameters.first.map { parameter in
          numbers.map(EventAccounts.pseudonym).filter { parameter.accepts($0) }
        } ?? [""]
      for account in accounts {
        guard let question = form.make(account.isEmpty ? [] : [account]) else { continue }
        let (here, there) = (answer(question, ours), answer(question, theirs))
        guard here != there else { continue }
        let text = account.isEmpty ? form.name : "\(form.name)(\(account))"
        differences.append(
          (
            Difference(kind: .answer, text: text, first: nil, here: here, there: there, family: nil),
            Surprise(rank: .answer, text: text)
          ))
      }
    }
    return differences
  }

  /// The last state that is known, and its time.
  private static func end(
    _ history: History<Domain>, _ upper: UInt64?
  ) throws(HistoryError) -> (state: Domain.State, moment: Moment)? {
    var newest: HistoryStep<Domain>?
    var reader = try LogReader(history, upTo: upper)
    while let item = try reader.next() {
      if case .event(let step) = item, step.withLaterState({ _ in true }) == true { newest = step }
    }
    return newest.flatMap { step in step.after.map { ($0, step.record.envelope.moment) } }
  }
}
