import AppProtection
import CommandSupport
import EventSourcing
import Forensics
import PlainText
import PolicyDocuments
import ProtectionSupport

/// Since when, and by which events, the policy of an account differs from a document that says how it should be.
struct PolicyDrift {
  typealias Write = BlamedWrite

  private let reading: TrustedState
  /// The events that set each value of the policy, newest first, by the property's name.
  private var writes: [String: [Write]] = [:]
  /// The wanted values, by their paths below the policy.
  private let wanted: [String: StateValue]
  /// The paths of the writes, by the property's name.
  private var paths: [String: String] = [:]

  /// How many changes of a value are followed back.
  private static let mostWrites = 1_000

  /// How the command ends, as far as the events decide.
  var exitCode: ExitCode { reading.exitCode }

  /// Looks for the events; `nil` unless just one of the two is an account's policy in a journal, and something differs.
  init?(
    _ items: (PolicyFile.Item, PolicyFile.Item), _ readings: (TrustedState?, TrustedState?),
    _ changes: [PolicyDiffReport.Change]
  ) throws(Failure) {
    let (document, reading): (PolicyDocument, TrustedState)
    switch readings {
    case (nil, let one?): (document, reading) = (items.0.policy, one)
    case (let one?, nil): (document, reading) = (items.1.policy, one)
    case (nil, nil), (_?, _?): return nil
    }
    guard let account = reading.account else { return nil }
    self.reading = try reading.restingOnHistory()
    wanted = Dictionary(document.tree().leaves().map { ($0.path, $0.value) }) { first, _ in first }
    guard !changes.isEmpty else { return }
    let prefix = "/policies/\(account)"
    reading.journal.begin("looking for the events that changed \(prefix) in")
    let blame = try Failure.translating(
      journal: reading.journal.path,
      try reading.journal.history.blame(
        BlameRequest(
          of: PathPattern(Glob(prefix)), upTo: reading.sequence, state: reading.state, limit: Self.mostWrites)))
    for value in blame.values {
      let below = value.path.dropFirst(prefix.count)
      guard let name = below.split(separator: "/").first.map(String.init), let newest = value.writes.first,
        newest.sequence > writes[name]?.first?.sequence ?? 0
      else { continue }
      writes[name] = value.writes
      paths[name] = String(below)
    }
  }

  /// The event since which a setting differs; `nil` if none set it.
  func origin(of change: PolicyDiffReport.Change) -> Write? {
    let origins = change.properties.compactMap { property -> Write? in
      guard let writes = writes[property.name], let path = paths[property.name] else { return nil }
      // The journal counts revisions of its own under this name.
      guard property.name != "version" else { return nil }
      let value = wanted[path]
      // It differs since the newest of the events before which it was as it should be.
      return writes.first { $0.before == value } ?? writes.last
    }
    return origins.max { $0.sequence < $1.sequence }
  }

  /// `since event 46, 2020-04-27T09:00:00Z, policy.received`.
  func words(_ change: PolicyDiffReport.Change) -> String {
    guard let origin = origin(of: change) else { return "never set" }
    let time = CivilTime(nanoseconds: origin.wallNanoseconds).text
    return "since event \(origin.sequence), \(time), \(origin.type)"
  }

  /// An event as members of a record.
  static let members: [JSONMember<Write>] = [
    .init("event", \.sequence), .init("type", \.type), .init("time") { CivilTime(nanoseconds: $0.wallNanoseconds) },
  ]
}
