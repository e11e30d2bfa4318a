import Expectations
import AppProtection
import EventSourcing
import Forensics
import Testing
import WireFormat

@Suite("Events printed from the wire")
struct EventPrinterTests {
  private typealias Record = RecordedEvent<AppProtectionEvent>

  /// Numbers that look random and are the same in every run (Knuth's MMIX constants).
  private struct Dice {
    var state: UInt64

    mutating func next(below bound: Int) -> Int {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return Int(state >> 33) % bound
    }
  }

  @Test("An event is printed as its decoded fields are, whatever its bytes", arguments: 1...8)
  func bodies(seed: Int) throws {
    var dice = Dice(state: UInt64(seed))
    for entry in AppProtectionEvent.catalog.entries {
      for round in 0..<12 {
        var body = Self.body(of: entry.body, depth: 0, &dice)
        for _ in 0..<dice.next(below: round < 6 ? 1 : 4) where !body.isEmpty {
          body[dice.next(below: body.count)] = UInt8(dice.next(below: 256))
        }
        let record = Self.record(entry.number, body)
        for redaction in [Redaction.on, .revealing] {
          let printed = Self.texts(of: record, EventPrinter(AppProtectionEvent.catalog, redaction))
          try #require(printed == Self.texts(of: record, redaction), "seed \(seed), \(entry.name): \(body)")
        }
      }
    }
  }

  @Test("An event of an unknown type is printed by the numbers of its fields")
  func unknown() {
    let record = Self.record(9_999, [0x08, 0x01])
    let printed = Self.texts(of: record, EventPrinter(AppProtectionEvent.catalog, .revealing))
    expectEqual(printed, Self.texts(of: record, .revealing))
    expectEqual(EventPrinter(AppProtectionEvent.catalog, .on).kind(of: 9_999).name, "type 9999")
  }

  private static func record(_ type: UInt32, _ body: [UInt8]) -> Record {
    var envelope = Envelope(type: type, at: Moment(wallNanoseconds: 0))
    envelope.body = body
    var writer = WireWriter()
    envelope.encode(into: &writer)
    return writer.bytes.withUnsafeBytes { Record(sequence: 1, chain: 0, payload: $0) }
  }

  /// The forms of an event as the printer has them.
  private static func texts(of record: Record, _ printer: EventPrinter) -> [String] {
    let event = PrintedEvent(record)
    var (json, lines, summary): ([UInt8], [UInt8], [UInt8]) = ([], [], [])
    printer.appendJSON(of: event, to: &json)
    printer.appendLines(of: event, to: &lines)
    printer.appendSummary(of: event, to: &summary)
    return [json, lines, summary].map { String(decoding: $0, as: UTF8.self) } + ["\(printer.accounts(of: event))"]
  }

  /// The same forms from the decoded fields.
  private static func texts(of record: Record, _ redaction: Redaction) -> [String] {
    let values = ValueText(redaction)
    let fields = values.fields(record.answers)
    let others = fields.filter { $0.name != "account" }.map { "\($0.name): \($0.text)" }
    let summary: [String] = Array(others.prefix(6)) + (others.count > 6 ? ["…"] : [])
    return [
      ValueJSON(redaction).json(record.fields).text(style: .compact),
      fields.map { "\n\($0.name): \($0.text)" }.joined(),
      summary.isEmpty ? "" : "(\(summary.joined(separator: ", ")))",
      "\(EventAccounts.numbers(in: record.fields))",
    ]
  }

  /// A body with some of the fields that a description has.
  private static func body(of descriptor: MessageDescriptor, depth: Int, _ dice: inout Dice) -> [UInt8] {
    var writer = WireWriter()
    for field in descriptor.fields where dice.next(below: 4) > 0 {
      for _ in 0...(field.cardinality == .repeated ? dice.next(below: 3) : 0) {
        let small = UInt64(dice.next(below: 5))
        switch field.type {
        case .bool, .unsigned, .reference, .sequence, .enumeration: writer.writePresent(field.number, unsigned: small)
        case .signed, .duration: writer.writePresent(field.number, signed: Int64(small) - 2)
        case .time: writer.writePresent(field.number, fixed: Int64(small) * 1_000_000_007)
        case .string, .json:
          let texts = ["", "1", "two words", "a@b.c", "{\"a\":[1]}"]
          writer.writePresent(field.number, string: texts[Int(small)])
        case .bytes: writer.write(field.number, bytes: [UInt8](repeating: 7, count: Int(small)))
        case .guid: writer.write(field.number, bytes: [UInt8](repeating: 7, count: small == 0 ? 3 : 16))
        case .message(let inner):
          let bytes = depth < 3 ? body(of: inner, depth: depth + 1, &dice) : []
          writer.write(field.number, bytes: bytes)
        }
      }
    }
    return writer.bytes
  }
}
