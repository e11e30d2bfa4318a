import EventSourcing

/// What occurs in a history: kinds of events with their choices and codes, and which kind follows which for one account.
@usableFromInline
struct HistoryFeatures: Sendable {
  /// The most features that are distinguished.
  private static let maximumCount = 4_096
  /// The most accounts whose last event is remembered.
  private static let maximumAccounts = 4_096

  /// How often a feature occurs, and where it does first.
  @usableFromInline
  struct Occurrence: Sendable {
    var first: UInt64
    var count: UInt64
  }

  private(set) var events: [String: Occurrence] = [:]
  private(set) var transitions: [String: Occurrence] = [:]
  /// Number of events.
  private(set) var count: UInt64 = 0
  private var latest: [UInt64: String] = [:]

  /// The accounts that events concern.
  var accounts: Set<UInt64> { Set(latest.keys) }

  @usableFromInline
  init() {}

  /// Reads a history's events.
  init<Machine: Reducer>(_ history: History<Machine>, upTo upper: UInt64?) throws(HistoryError) {
    var cursor = try history.events(after: max(history.firstSequence, 1) - 1)
    while let item = try cursor.next() {
      guard case .event(let step) = item else { continue }
      if let upper, step.record.sequence > upper { break }
      record(step.record.sequence, step.record.typeName, step.record.fields)
    }
  }

  private mutating func record(_ sequence: UInt64, _ type: String, _ fields: MessageFields) {
    count += 1
    var choices: [String] = []
    var accounts: [UInt64] = []
    for field in fields.fields where field.privacy == .public && !field.isRepeated {
      switch field.values.first {
      case .enumeration(let number, let name?)? where field.name == "code": choices.append("code \(number) \(name)")
      case .enumeration(let number, let name)?: choices.append("\(field.name ?? "?") \(name ?? "\(number)")")
      case .bool(true)?: choices.append(field.name ?? "?")
      case .unsigned(let number)? where field.name == "code": choices.append("code \(number)")
      case .reference(let number, EventAccounts.kind)?: accounts.append(number)
      default: break
      }
    }
    Self.count(type + (choices.isEmpty ? "" : " (\(choices.joined(separator: ", ")))"), at: sequence, in: &events)
    for account in accounts {
      if let before = latest[account] { Self.count("\(before) → \(type)", at: sequence, in: &transitions) }
      if latest[account] != nil || latest.count < Self.maximumAccounts { latest[account] = type }
    }
  }

  private static func count(_ feature: String, at sequence: UInt64, in features: inout [String: Occurrence]) {
    if features[feature] == nil && features.count >= maximumCount { return }
    features[feature, default: Occurrence(first: sequence, count: 0)].count += 1
  }
}
