import Journal
import WireFormat

/// How a command ended that was handed over.
public enum CommandOutcome: Hashable, Sendable, CustomStringConvertible {
  /// It was carried out. The events that it led to are durable; `nil` where nothing was left to do, or where they were
  /// retired.
  case carriedOut(events: ClosedRange<UInt64>?)
  /// The rules refused it.
  case refused(rule: String, explanation: String)
  /// It names a person who was erased, and was not carried out.
  case erased
  /// Its file was damaged and set aside; it was not carried out.
  case damaged(reason: String)
  /// It is done with, but how it ended is no longer kept: look at the state.
  case unknown

  /// One sentence without a full stop.
  public var description: String {
    switch self {
    case .carriedOut(let events?): "carried out by event\(events.count > 1 ? "s" : "") \(Self.text(events))"
    case .carriedOut(nil): "carried out; nothing was left to do"
    case .refused(let rule, let explanation): "refused by \(rule)\(explanation.isEmpty ? "" : ": \(explanation)")"
    case .erased: "not carried out: it names a person who was erased"
    case .damaged(let reason): "not carried out: \(reason)"
    case .unknown: "done with; how it ended is no longer kept"
    }
  }

  private static func text(_ events: ClosedRange<UInt64>) -> String {
    events.count > 1 ? "\(events.lowerBound) to \(events.upperBound)" : "\(events.lowerBound)"
  }
}

/// The outcomes of the newest commands of a session, as the writer leaves them.
struct SpoolOutcomes {
  /// The most outcomes that are kept of a session.
  static let maximumCount = 64

  struct Entry: Equatable {
    var number: UInt64
    var outcome: CommandOutcome
    /// The accounts whose keys seal the explanation of a refusal; empty to write it plainly.
    var accounts: [UInt64] = []
  }

  var session: UInt64
  /// The last command that the writer is done with.
  var last: UInt64 = 0
  /// The journal's last event then: which session is older than another one.
  var sequence: UInt64 = 0
  /// As they are in the file.
  private var encoded: [(number: UInt64, bytes: [UInt8])] = []

  init(session: UInt64) { self.session = session }

  /// - Throws: For bytes that are not outcomes.
  init(session: UInt64, last: UInt64, decoding bytes: [UInt8]) throws(WireError) {
    self.session = session
    self.last = last
    var found = Self(session: session)
    try WireReader.decode(bytes) { (reader) throws(WireError) in
      while let field = try reader.nextField() {
        switch field.number {
        case 1:
          let bytes = try reader.bytes(field)
          found.encoded.append((try Self.number(bytes), bytes))
        case 2: found.sequence = try reader.unsigned(field)
        default: try reader.skip(field)
        }
      }
    }
    (encoded, sequence) = (found.encoded, found.sequence)
  }

  var payload: [UInt8] {
    var writer = WireWriter()
    for entry in encoded { writer.write(1) { $0.append(encoded: entry.bytes) } }
    writer.write(2, unsigned: sequence)
    return writer.bytes
  }

  /// Adds the outcome of the next command, and forgets the oldest ones.
  mutating func add(_ entry: Entry, sealing: Sealing?, in domain: String) {
    last = max(last, entry.number)
    encoded.append((entry.number, encode(entry, sealing, domain)))
    if encoded.count > Self.maximumCount { encoded.removeFirst(encoded.count - Self.maximumCount) }
  }

  /// The outcome of a command; `nil` if the writer is not done with it.
  func outcome(of number: UInt64, sealing: Sealing?, in domain: String) throws(SealingError) -> CommandOutcome? {
    guard number <= last else { return nil }
    guard let entry = encoded.last(where: { $0.number == number }) else { return .unknown }
    return try decode(entry.bytes, SpoolPlace(session: session, number: number), sealing, domain) ?? .unknown
  }

  // MARK: Entries

  private enum Kind: UInt64 {
    case carriedOut = 1
    case refused = 2
    case erased = 3
    case damaged = 4
  }

  private func encode(_ entry: Entry, _ sealing: Sealing?, _ domain: String) -> [UInt8] {
    var writer = WireWriter()
    writer.write(1, unsigned: entry.number)
    switch entry.outcome {
    case .carriedOut(let events):
      writer.write(2, unsigned: Kind.carriedOut.rawValue)
      writer.write(3, unsigned: events?.lowerBound ?? 0)
      writer.write(4, unsigned: events?.upperBound ?? 0)
    case .refused(let rule, let explanation):
      writer.write(2, unsigned: Kind.refused.rawValue)
      writer.write(5, string: rule)
      if let sealing, !entry.accounts.isEmpty {
        let use = SealedValue.Use.spooled(
          SpoolPlace(session: session, number: entry.number), isOutcome: true, in: domain)
        // Without a key the refusal stands without its explanation.
        writer.write(7, bytes: (try? sealing.sealSpooled(Array(explanation.utf8), for: entry.accounts, use)) ?? [])
      } else {
        writer.write(6, string: explanation)
      }
    case .erased: writer.write(2, unsigned: Kind.erased.rawValue)
    case .damaged(let reason):
      writer.write(2, unsigned: Kind.damaged.rawValue)
      writer.write(6, string: reason)
    case .unknown: break
    }
    return writer.bytes
  }

  private static func number(_ bytes: [UInt8]) throws(WireError) -> UInt64 {
    try WireReader.decode(bytes) { (reader) throws(WireError) in
      var number: UInt64 = 0
      while let field = try reader.nextField() {
        if field.number == 1 { number = try reader.unsigned(field) } else { try reader.skip(field) }
      }
      return number
    }
  }

  private func decode(
    _ bytes: [UInt8], _ place: SpoolPlace, _ sealing: Sealing?, _ domain: String
  ) throws(SealingError) -> CommandOutcome? {
    var kind: UInt64 = 0
    var (first, last): (UInt64, UInt64) = (0, 0)
    var (rule, text) = ("", "")
    var sealed: [UInt8] = []
    do throws(WireError) {
      try WireReader.decode(bytes) { (reader) throws(WireError) in
        while let field = try reader.nextField() {
          switch field.number {
          case 2: kind = try reader.unsigned(field)
          case 3: first = try reader.unsigned(field)
          case 4: last = try reader.unsigned(field)
          case 5: rule = try reader.string(field)
          case 6: text = try reader.string(field)
          case 7: sealed = try reader.bytes(field)
          default: try reader.skip(field)
          }
        }
      }
    } catch { return nil }
    let use = SealedValue.Use.spooled(place, isOutcome: true, in: domain)
    if !sealed.isEmpty, let sealing, case .bytes(let bytes, _) = try sealing.openSpooled(sealed, use) {
      text = String(decoding: bytes, as: UTF8.self)
    }
    switch Kind(rawValue: kind) {
    case .carriedOut?: return .carriedOut(events: first > 0 && first <= last ? first...last : nil)
    case .refused?: return .refused(rule: rule, explanation: text)
    case .erased?: return .erased
    case .damaged?: return .damaged(reason: text)
    case nil: return nil
    }
  }
}
