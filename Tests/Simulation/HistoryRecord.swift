import AppProtection
import EventSourcing
import Forensics

/// What the sentences of findings can be compared with: the events of a history.
struct HistoryRecord {
  var types: [UInt64: String] = [:]
  var codes: [UInt64: Set<UInt32>] = [:]
  var accounts: Set<String> = []
  /// The texts of all fields, for versions, durations and dates.
  var texts = ""
  /// The account that each event is about.
  var subjects: [UInt64: String] = [:]
  /// When each event was recorded.
  var moments: [UInt64: Moment] = [:]
  /// The accounts that must be the only managed one, by the events that say so.
  var exclusive: [UInt64: String] = [:]
  /// How many accounts the app lets be managed, by the events that say so.
  var most: [UInt64: UInt64] = [:]
  var last: UInt64 = 0
  /// From the first event to the last one.
  var span: Int64 = 0

  init() {}

  /// Reads a history.
  init(of journal: String) throws {
    let history = try History<AppProtectionMachine>(at: journal)
    var (jumps, lowest, highest): (Int64, Int64, Int64) = (0, .max, .min)
    var reader = try LogReader(history)
    while let item = try reader.next() {
      if case .clockJump(let jump) = item { jumps += jump.nanoseconds }
      guard case .event(let step) = item else { continue }
      let (number, moment) = (step.record.sequence, step.record.envelope.moment)
      add(number, step.record.typeName, moment)
      (lowest, highest) = (min(lowest, moment.wallNanoseconds - jumps), max(highest, moment.wallNanoseconds - jumps))
      add(step.record.fields, of: number)
      if case .accountExclusivityChanged(let event)? = step.record.event, event.isExclusive {
        exclusive[number] = event.account.description
      }
      most[number] = step.after.map { UInt64($0.settings.app.maximumManagedAccounts) }
    }
    span = max(highest - lowest, 0)
  }

  /// Adds an event.
  mutating func add(_ number: UInt64, _ type: String, _ moment: Moment, of subject: String? = nil) {
    (types[number], moments[number], subjects[number]) = (type, moment, subject)
    if let subject { accounts.insert(subject) }
    last = max(last, number)
  }

  /// Adds the fields of an event, those of messages in it included.
  private mutating func add(_ fields: MessageFields, of number: UInt64) {
    for field in fields.fields {
      for value in field.values {
        switch value {
        case .unsigned(let code), .enumeration(let code, _):
          if field.name == "code" { codes[number, default: []].insert(UInt32(clamping: code)) }
        case .reference(let account, EventAccounts.kind):
          accounts.insert("a\(account)")
          if subjects[number] == nil { subjects[number] = "a\(account)" }
        case .text(let text), .json(let text): texts += text + " "
        case .message(let message): add(message, of: number)
        default: break
        }
      }
    }
  }

  /// Whether an event of one of these types comes after another one, for an account.
  func has(_ types: Set<String>, of account: String?, after sequence: UInt64 = 0) -> Bool {
    self.types.contains { number, type in
      number > sequence && types.contains(type) && (account == nil || subjects[number] == account)
    }
  }
}
