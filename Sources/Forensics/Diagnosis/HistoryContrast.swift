import EventSourcing

/// What differs between a history and one that is known to be healthy: what only one of them has, and where their rules
/// answer otherwise at the end.
public struct HistoryContrast<Domain: DiagnosisDomain>: Sendable {
  /// One difference.
  public struct Difference: Equatable, Sendable {
    /// What differs.
    public enum Kind: String, Sendable, CaseIterable {
      /// The rules answer a question otherwise.
      case answer
      /// A kind of event with its choices occurs in one history only.
      case event
      /// A kind of event follows another one in one history only.
      case transition
    }

    /// What differs.
    public let kind: Kind
    /// The event, the transition or the question.
    public let text: String
    /// The first event that has it here; `nil` where only the healthy history has it.
    public let first: UInt64?
    /// How often it occurs here, or the answer here.
    public let here: String
    /// How often it occurs in the healthy history, or the answer there.
    public let there: String
    /// The problem for which its first event is evidence, by its family's name; `nil` if for none.
    public let family: String?
  }

  /// The most accounts that questions are asked about.
  private static var maximumAccounts: Int { 8 }

  /// The differences: first those that are evidence of a problem, then answers, then what occurs only here, then what only
  /// the healthy history has; each in the order of the events.
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
    let accounts = ours.accounts.filter(theirs.accounts.contains).sorted().prefix(Self.maximumAccounts)
    found += try Self.answers(Array(accounts), history, upper, healthy)
    differences = found.sorted(by: Self.precedes)
  }

  private static func differences(
    _ kind: Difference.Kind, _ ours: [String: HistoryFeatures.Occurrence],
    _ theirs: [String: HistoryFeatures.Occurrence], _ families: [UInt64: String]
  ) -> [Difference] {
    let here = ours.filter { theirs[$0.key] == nil }.map { text, occurrence in
      Difference(
        kind: kind, text: text, first: occurrence.first, here: "\(occurrence.count)", there: "0",
        family: families[occurrence.first])
    }
    let there = theirs.filter { ours[$0.key] == nil }.map { text, occurrence in
      Difference(kind: kind, text: text, first: nil, here: "0", there: "\(occurrence.count)", family: nil)
    }
    return here + there
  }

  /// Questions about one account, or none, that are answered otherwise at the end.
  private static func answers(
    _ numbers: [UInt64], _ history: History<Domain>, _ upper: UInt64?, _ healthy: History<Domain>
  ) throws(HistoryError) -> [Difference] {
    guard let ours = try end(history, upper), let theirs = try end(healthy, nil) else { return [] }
    func answer(_ question: Domain.Question, _ end: (state: Domain.State, moment: Moment)) -> String {
      var explanation = Explanation()
      return Domain.answer(question, in: end.state, at: end.moment, explanation: &explanation).name
    }
    var differences: [Difference] = []
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
          Difference(kind: .answer, text: text, first: nil, here: here, there: there, family: nil))
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

  private static func rank(_ difference: Difference) -> Int {
    if difference.family != nil { return 0 }
    if difference.kind == .answer { return 1 }
    return difference.first == nil ? 3 : 2
  }

  private static func precedes(_ one: Difference, _ other: Difference) -> Bool {
    let (first, second) = (rank(one), rank(other))
    if first != second { return first < second }
    if one.first != other.first { return one.first ?? 0 < other.first ?? 0 }
    return one.kind == other.kind ? one.text < other.text : one.kind == .event
  }
}
