import AppProtection
import EventSourcing

/// The times of trouble that are over, each kind by itself.
struct PastTimes<Kind: Equatable & Sendable>: Sendable {
  struct Time: Sendable {
    let began: EventContext
    let length: Int64
    let ending: DiagnosisEnding
    /// What the event with which it ended shows.
    let words: String

    /// Its first and its last event.
    var span: String { "from event \(began.sequence) to event \(ending.event.sequence)" }
  }

  struct Trouble: Sendable {
    let kind: Kind
    var longest: Time
    /// All its times.
    var episodes = Episodes()
  }

  /// The one that came last stands last.
  private(set) var troubles: [Trouble] = []

  /// Adds a time that is over.
  mutating func add(_ kind: Kind, _ time: Time) {
    var trouble = Trouble(kind: kind, longest: time)
    if let place = troubles.firstIndex(where: { $0.kind == kind }) { trouble = troubles.remove(at: place) }
    trouble.episodes.add(since: time.began, time.ending)
    if time.length > trouble.longest.length { trouble.longest = time }
    if troubles.count == Problem.maximumEvidence { troubles.removeFirst() }
    troubles.append(trouble)
  }

  /// The times of one kind.
  func episodes(of kind: Kind?) -> Episodes? { troubles.first { $0.kind == kind }?.episodes }
}

extension Problem {
  /// Says how often a trouble came, that it is over, and that it is worth a note.
  mutating func conclude<Kind>(_ trouble: PastTimes<Kind>.Trouble) {
    if trouble.episodes.count > 1 { describe(trouble.episodes) }
    let latest = trouble.episodes.kept.last?.ending ?? trouble.longest.ending
    end(latest.kind, at: latest.event)
    severity = .note
  }
}
