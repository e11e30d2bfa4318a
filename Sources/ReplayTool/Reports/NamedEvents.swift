import CommandSupport
import EventSourcing
import Forensics

/// What is known of the events that problems name besides what the problems say of them.
struct NamedEvents {
  /// One event.
  struct Facts {
    /// The type's name.
    let type: String
    /// When it was recorded.
    let moment: Moment
    /// What it says of versions; `nil` if nothing.
    let versions: Versions?
  }

  /// Versions of the app, of what it is built with and runs on, and of an account's policy; empty where one is not known.
  struct Versions {
    let surroundings: HistoryEnvironment
    let policy: UInt64?

    init(_ surroundings: HistoryEnvironment = HistoryEnvironment(), policy: UInt64? = nil) {
      (self.surroundings, self.policy) = (surroundings, policy)
    }

    /// Those that are known, in words; `nil` if none is.
    func words(in domain: AnyDomain) -> String? {
      let known = [
        ("app", surroundings.app), (domain.samples.engine, surroundings.engine), ("OS", surroundings.system),
        ("policy version", policy.map { "\($0)" }),
      ]
      let words = known.compactMap { name, text in text.flatMap { $0.isEmpty ? nil : "\(name) \($0)" } }
      return words.isEmpty ? nil : words.joined(separator: ", ")
    }
  }

  /// So many events are rather read than passed over: what comes before a place must be folded to reach it.
  private static let reach: UInt64 = 1_000

  /// Where a problem was decided, and whom it concerns.
  private struct Decision: Hashable {
    let event: UInt64
    let subject: String?
  }

  private var facts: [UInt64: Facts] = [:]
  /// The versions in force after the events that decided a problem.
  private var versions: [Decision: Versions] = [:]

  /// Looks up the events that problems name, as far as they can be read.
  init(of problems: [FoundProblem], in journal: JournalInput) {
    let events = problems.flatMap { $0.evidence.compactMap(\.sequence) }
    let wanted = Set(events).filter { $0 >= max(journal.history.firstSequence, 1) }.sorted()
    let subjects = Dictionary(grouping: problems, by: \.decidingEvent).mapValues { $0.map(\.subject) }
    var start = wanted.startIndex
    while start < wanted.endIndex {
      var end = start + 1
      while end < wanted.endIndex, wanted[end] - wanted[end - 1] <= Self.reach { end += 1 }
      read(wanted[start..<end], subjects, journal)
      start = end
    }
  }

  /// Reads a stretch of events; those that cannot be read stay unknown, which the problems say themselves.
  private mutating func read(
    _ wanted: ArraySlice<UInt64>, _ subjects: [UInt64: [String?]], _ journal: JournalInput
  ) {
    guard let first = wanted.first, let last = wanted.last,
      let reader = try? journal.history.log(from: first, upTo: last)
    else { return }
    let numbers = Set(wanted)
    let tools = LogTools(journal.domain, .on)
    while let item = try? reader.next(tools) {
      guard case .event(let event) = item, numbers.contains(event.record.sequence) else { continue }
      let sequence = event.record.sequence
      facts[sequence] = Facts(
        type: event.typeName, moment: event.record.envelope.moment, versions: Self.versions(in: event))
      guard let surroundings = event.surroundings.after else { continue }
      for subject in subjects[sequence] ?? [] {
        let policy = subject.flatMap { event.policyVersion(of: $0) }
        guard surroundings != nil || policy != nil else { continue }
        versions[Decision(event: sequence, subject: subject)] = Versions(
          surroundings ?? HistoryEnvironment(), policy: policy)
      }
    }
  }

  /// What an event says of versions, as the state has it after that.
  private static func versions(in event: LoggedEvent) -> Versions? {
    guard let named = event.surroundings.event else { return nil }
    guard !named.namesVersions else { return event.surroundings.after.map { Versions($0 ?? named) } }
    return named.policy.map { _ in Versions(policy: event.policyVersion(of: nil)) }
  }

  /// What is known of an event.
  subscript(sequence: UInt64?) -> Facts? { sequence.flatMap { facts[$0] } }

  /// The versions in force when a problem was decided; `nil` if that is not known.
  func versions(at problem: FoundProblem) -> Versions? {
    versions[Decision(event: problem.decidingEvent, subject: problem.subject)]
  }
}
