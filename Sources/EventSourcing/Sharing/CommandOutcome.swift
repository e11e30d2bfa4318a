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

  /// The outcome of a command whose file is not sealed as this version seals it, in the spool of a sealed journal: an earlier
  /// version wrote it, or a process without keys.
  public static let notSealed = CommandOutcome.damaged(reason: notSealedReason)
  static let notSealedReason = "not sealed for this version; submit again"

  /// Whether to submit the command again, under the same ``SpoolTicket/idempotencyKey``: it is then carried out once, even if
  /// this outcome is not true, unless the store no longer recognises it. A command that led to no event, or lies further back
  /// than the newest 1,024 with a key, is then decided again.
  public var asksForResubmission: Bool { self == .notSealed }

  private static func text(_ events: ClosedRange<UInt64>) -> String {
    events.count > 1 ? "\(events.lowerBound) to \(events.upperBound)" : "\(events.lowerBound)"
  }
}

/// The outcomes of the newest commands of a session, as the writer leaves them.
struct SpoolOutcomes {
  /// The most outcomes that are kept of a session.
  static let maximumCount = 64
  /// The most bytes of an explanation. So many outcomes fit into a file, even if so many accounts' keys seal each.
  static let maximumTextLength = 16 << 10
  static let maximumRuleLength = 256

  struct Entry: Equatable {
    var number: UInt64
    var outcome: CommandOutcome
    /// The accounts whose keys seal the explanation of a refusal; `nil` to write it plainly.
    var accounts: [UInt64]?
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
  mutating func add(_ entry: Entry, sealing: SpoolSealing?) {
    last = max(last, entry.number)
    encoded.append((entry.number, encode(entry, sealing)))
    if encoded.count > Self.maximumCount { encoded.removeFirst(encoded.count - Self.maximumCount) }
    // Texts of earlier versions may be of any length. What the reader refused would make it repeat commands.
    var length = Self.overhead + encoded.reduce(0) { $0 + $1.bytes.count + Self.overhead }
    while length > SpoolFolder.maximumPayloadLength, encoded.count > 1 {
      length -= encoded.removeFirst().bytes.count + Self.overhead
    }
  }

  /// More bytes than a tag and a number have.
  private static let overhead = 12

  /// The outcome of a command; `nil` if the writer is not done with it.
  func outcome(of number: UInt64, sealing: SpoolSealing?) throws(SealingError) -> CommandOutcome? {
    guard number <= last else { return nil }
    guard let entry = encoded.last(where: { $0.number == number }) else { return .unknown }
    return try decode(entry.bytes, SpoolPlace(session: session, number: number), sealing) ?? .unknown
  }

  // MARK: Entries

  private enum Kind: UInt64 {
    case carriedOut = 1
    case refused = 2
    case erased = 3
    case damaged = 4
  }

  private func encode(_ entry: Entry, _ sealing: SpoolSealing?) -> [UInt8] {
    var writer = WireWriter()
    writer.write(1, unsigned: entry.number)
    switch entry.outcome {
    case .carriedOut(let events):
      writer.write(2, unsigned: Kind.carriedOut.rawValue)
      writer.write(3, unsigned: events?.lowerBound ?? 0)
      writer.write(4, unsigned: events?.upperBound ?? 0)
    case .refused(let rule, let explanation):
      writer.write(2, unsigned: Kind.refused.rawValue)
      writer.write(5, string: Self.cut(rule, to: Self.maximumRuleLength))
      let text = Self.cut(explanation, to: Self.maximumTextLength)
      if let sealing, let accounts = entry.accounts {
        let place = SpoolPlace(session: session, number: entry.number)
        // Without a key the refusal stands without its explanation.
        writer.write(8, bytes: (try? sealing.seal(Array(text.utf8), .explanation, at: place, for: accounts)) ?? [])
      } else {
        writer.write(6, string: text)
      }
    case .erased: writer.write(2, unsigned: Kind.erased.rawValue)
    case .damaged(let reason):
      writer.write(2, unsigned: Kind.damaged.rawValue)
      writer.write(6, string: Self.cut(reason, to: Self.maximumTextLength))
    case .unknown: break
    }
    return writer.bytes
  }

  /// A text of at most so many bytes, whose end says that it was cut.
  private static func cut(_ text: String, to limit: Int) -> String {
    guard text.utf8.count > limit else { return text }
    let end = "…"
    var place = text.utf8.index(text.startIndex, offsetBy: limit - end.utf8.count)
    while place > text.startIndex, place.samePosition(in: text.unicodeScalars) == nil {
      place = text.utf8.index(before: place)
    }
    return String(text[..<place]) + end
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
    _ bytes: [UInt8], _ place: SpoolPlace, _ sealing: SpoolSealing?
  ) throws(SealingError) -> CommandOutcome? {
    var kind: UInt64 = 0
    var (first, last): (UInt64, UInt64) = (0, 0)
    var (rule, text) = ("", "")
    var (earlier, sealed): ([UInt8], [UInt8]) = ([], [])
    do throws(WireError) {
      try WireReader.decode(bytes) { (reader) throws(WireError) in
        while let field = try reader.nextField() {
          switch field.number {
          case 2: kind = try reader.unsigned(field)
          case 3: first = try reader.unsigned(field)
          case 4: last = try reader.unsigned(field)
          case 5: rule = try reader.string(field)
          case 6: text = try reader.string(field)
          case 7: earlier = try reader.bytes(field)
          case 8: sealed = try reader.bytes(field)
          default: try reader.skip(field)
          }
        }
      }
    } catch { return nil }
    if !sealed.isEmpty, let sealing, case .bytes(let bytes, _) = try sealing.open(sealed, .explanation, at: place) {
      text = String(decoding: bytes, as: UTF8.self)
    } else if !earlier.isEmpty, let bytes = try sealing?.openEarlierExplanation(earlier, at: place) {
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
