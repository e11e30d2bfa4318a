import AppProtection

/// The facts of a log in the order of their times, each with its account.
///
/// An answer that two lines report is one fact: the SDK writes the scheduler's line, that of a checkpoint and that of the
/// delegate within the same moment, and files overlap.
struct FieldLogOrder {
  /// A fact in its place.
  struct Entry {
    /// When, or the time of the last line where the file does not say.
    var time: Int64
    /// The fact; its account is the name that stands for it.
    var fact: FieldLog.Fact
  }

  /// The facts that events are made of.
  private(set) var entries: [Entry] = []
  /// Facts of which no event is made, with the reasons.
  private(set) var unused: [FieldLog.Skipped] = []
  /// Every fact that names an account, the requests among them.
  private var named: [(time: Int64, request: FieldLogSentence.Request?, account: String)] = []

  /// The name of an account that no line names.
  static let unnamed = "unnamed"
  /// The most facts among which the one is looked for that a line repeats.
  private static let mostMerged = 64
  /// Lines that report one answer are at most this far apart.
  private static let moment: Int64 = 1_000_000_000

  init(_ log: FieldLog) {
    let latest = log.latest ?? 0
    let ordered = log.facts.enumerated().map { (order: $0, time: $1.time ?? latest, fact: $1) }.sorted {
      ($0.time, $0.order) < ($1.time, $1.order)
    }
    for (_, time, fact) in ordered {
      var fact = fact
      fact.account = fact.account.map { log.aliases.name(of: $0) }
      if let account = fact.account { named.append((time, Self.request(of: fact.content), account)) }
      if case .request = fact.content {
        skip(fact, "a request: its answer is what counts")
      } else if !merge(fact, time) {
        entries.append(Entry(time: time, fact: fact))
      }
    }
    addAccounts()
    removeContacts()
    placePolicies()
  }

  /// Puts each policy without a time after the last answer that it can have come with, or after the last one that says that it is
  /// unchanged: a policy is no sign of the service at the time of the last line.
  private mutating func placePolicies() {
    var last: [String: (new: Int64?, unchanged: Int64?)] = [:]
    for entry in entries where entry.fact.time != nil {
      guard let account = entry.fact.account else { continue }
      if case .answer(_, .newPoliciesReceived, _) = entry.fact.content {
        last[account, default: (nil, nil)].new = entry.time
      } else if entry.fact.content == .contact {
        last[account, default: (nil, nil)].unchanged = entry.time
      } else if case .answer(_, .policiesHaveNotChanged, _) = entry.fact.content {
        last[account, default: (nil, nil)].unchanged = entry.time
      }
    }
    guard !last.isEmpty else { return }
    var isMoved = false
    for place in entries.indices where entries[place].fact.time == nil {
      guard case .policy = entries[place].fact.content, let account = entries[place].fact.account,
        let time = last[account].flatMap({ $0.new ?? $0.unchanged })
      else { continue }
      (entries[place].time, isMoved) = (time, true)
    }
    guard isMoved else { return }
    // The policy follows the answer of its time, which stands before it.
    let ordered = entries.enumerated().sorted { ($0.element.time, $0.offset) < ($1.element.time, $1.offset) }
    entries = ordered.map(\.element)
  }

  /// Leaves out that the service was reached where a line has its answer.
  private mutating func removeContacts() {
    var isAnswered = entries.map { _ in false }
    for place in entries.indices where entries[place].fact.content == .contact {
      let near = entries[..<place].suffix(Self.mostMerged) + entries[place...].prefix(Self.mostMerged)
      isAnswered[place] = near.contains { other in
        guard case .answer = other.fact.content, other.fact.account == entries[place].fact.account else { return false }
        return (other.time - entries[place].time).magnitude <= UInt64(Self.moment)
      }
    }
    for place in entries.indices where isAnswered[place] {
      skip(entries[place].fact, "the line repeats an answer")
    }
    entries = zip(entries, isAnswered).filter { !$1 }.map(\.0)
  }

  private mutating func skip(_ fact: FieldLog.Fact, _ reason: String) {
    unused.append(FieldLog.Skipped(place: fact.place, reason: reason))
  }

  private static func request(of content: FieldLog.Content) -> FieldLogSentence.Request? {
    switch content {
    case .answer(let request, _, _), .request(let request): request
    case .policy, .configuration, .contact, .deviceAccount, .registration, .wipe, .wipeCompleted, .condition,
      .tokenDenied,
      .remediationQueued:
      nil
    }
  }

  // MARK: - One answer in several lines

  /// Adds a fact to the one just before that reports the same answer; returns whether there is one.
  private mutating func merge(_ fact: FieldLog.Fact, _ time: Int64) -> Bool {
    guard case .answer(let request, let code, let error) = fact.content, fact.time != nil else { return false }
    for place in entries.indices.suffix(Self.mostMerged).reversed() {
      guard time - entries[place].time <= Self.moment else { return false }
      let earlier = entries[place].fact
      guard case .answer(let asked, code, let said) = earlier.content, earlier.time != nil,
        asked == request || asked == .either || request == .either,
        earlier.account == nil || fact.account == nil || earlier.account == fact.account
      else { continue }
      let parts = said.split(separator: ", ").map(String.init)
      let rest = error.split(separator: ", ").map(String.init).filter { !parts.contains($0) }
      entries[place].fact.content = .answer(
        asked == .either ? request : asked, code, error: (parts + rest).joined(separator: ", "))
      entries[place].fact.account = earlier.account ?? fact.account
      skip(fact, "the line repeats an answer")
      return true
    }
    return false
  }

  // MARK: - Whose answer it is

  /// Gives each fact without an account the only one there is, an unnamed one if there is none, or the nearest of several.
  private mutating func addAccounts() {
    let names = Set(entries.compactMap(\.fact.account))
    let known = names.isEmpty ? Set(named.map(\.account)) : names
    for place in entries.indices where entries[place].fact.account == nil {
      if known.count > 1 {
        let nearest = nearest(to: entries[place].time, Self.request(of: entries[place].fact.content))
        entries[place].fact.account = nearest
        entries[place].fact.inferred.append(.nearestAccount)
      } else {
        entries[place].fact.account = known.first ?? Self.unnamed
        entries[place].fact.inferred.append(.account)
      }
    }
  }

  /// The account of the nearest fact about the same operation, or of the nearest of all; of two, the earlier one.
  private func nearest(to time: Int64, _ request: FieldLogSentence.Request?) -> String? {
    let isSame: (FieldLogSentence.Request?) -> Bool = { other in
      request == .either || other == .either ? other != nil : other == request
    }
    return nearest(to: time) { isSame($0) } ?? nearest(to: time) { _ in true }
  }

  private func nearest(to time: Int64, where isMeant: (FieldLogSentence.Request?) -> Bool) -> String? {
    var (low, high) = (0, named.count)
    while low < high {
      let middle = (low + high) / 2
      if named[middle].time <= time { low = middle + 1 } else { high = middle }
    }
    let before = named[..<low].suffix(Self.mostCompared).last { isMeant($0.request) }
    let after = named[low...].prefix(Self.mostCompared).first { isMeant($0.request) }
    guard let before, let after else { return (before ?? after)?.account }
    return time - before.time <= after.time - time ? before.account : after.account
  }

  /// The most facts that are looked at in each direction, so that long logs take linear time.
  private static let mostCompared = 1000
}
