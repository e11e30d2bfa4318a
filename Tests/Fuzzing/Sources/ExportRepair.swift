import EventSourcing
import Journal
import PlainText
import WireFormat

/// Puts right what the records of an export say of each other, so that readers look at what the checks cover: the numbers and
/// chain values of events, and the sums of the last record.
struct ExportRepair {
  private var chain: UInt32 = 0
  private var sequence: UInt64 = 0
  private var events = 0
  /// The lines so far, each with its end.
  private var text: [UInt8] = []
  /// What the digest of the events covers.
  private var content: [UInt8] = []

  static func repaired(_ bytes: [UInt8]) -> [UInt8] {
    var repair = ExportRepair()
    var rest = bytes[...]
    while let end = rest.firstIndex(of: UInt8(ascii: "\n")) {
      repair.add(Array(rest[..<end]))
      rest = rest[(end + 1)...]
    }
    return repair.text + rest
  }

  private mutating func add(_ line: [UInt8]) {
    var line = line
    switch Self.member("kind", of: line).map({ String(decoding: line[$0], as: UTF8.self) }) {
    case "\"start\"":
      sequence = (Self.number("first", of: line) ?? 1) &- 1
      chain = Self.member("chain", of: line).flatMap { UInt32(Self.text(line[$0]), radix: 16) } ?? 0
    case "\"event\"":
      guard let range = Self.member("payload", of: line), let payload = Self.decoded(line[range]) else { break }
      chain = payload.withUnsafeBytes { HistoryChain.value(after: chain, $0) }
      sequence &+= 1
      events += 1
      withUnsafeBytes(of: UInt32(payload.count).littleEndian) { content += $0 }
      content += payload
      Self.set("seq", of: &line, to: String(sequence))
      Self.set("chain", of: &line, to: "\"" + Self.hex(chain) + "\"")
    case "\"gap\"":
      guard let to = Self.number("to", of: line), to > sequence, to - sequence < 10_000 else { break }
      Self.set("from", of: &line, to: String(sequence &+ 1))
      for _ in sequence..<to {
        chain = HistoryChain.value(after: chain, UnsafeRawBufferPointer(start: nil, count: 0))
        content += [0, 0, 0, 0]
      }
      sequence = to
    case "\"end\"":
      Self.set("events", of: &line, to: String(events))
      Self.set("sha256", of: &line, to: "\"" + Digest.sha256(content).hex + "\"")
      Self.set("checksum", of: &line, to: "\"" + Digest.sha256(text).hex + "\"")
    default: break
    }
    text += line + [UInt8(ascii: "\n")]
  }

  /// Where the value of a line's first member with a name stands, a text with its quotation marks.
  private static func member(_ name: String, of line: [UInt8]) -> Range<Int>? {
    guard let start = line.firstRange(of: Array("\"\(name)\":".utf8))?.upperBound else { return nil }
    let isText = start < line.count && line[start] == UInt8(ascii: "\"")
    let last = line[min(start + 1, line.count)...].firstIndex { byte in
      isText ? byte == UInt8(ascii: "\"") : byte == UInt8(ascii: ",") || byte == UInt8(ascii: "}")
    }
    return last.map { start..<($0 + (isText ? 1 : 0)) }
  }

  private static func text(_ value: ArraySlice<UInt8>) -> String {
    String(decoding: value, as: UTF8.self).filter { $0 != "\"" }
  }

  private static func number(_ name: String, of line: [UInt8]) -> UInt64? {
    member(name, of: line).flatMap { UInt64(String(decoding: line[$0], as: UTF8.self)) }
  }

  private static func set(_ name: String, of line: inout [UInt8], to value: String) {
    if let range = member(name, of: line) { line.replaceSubrange(range, with: value.utf8) }
  }

  private static func hex(_ chain: UInt32) -> String {
    let digits = String(chain, radix: 16)
    return String(repeating: "0", count: 8 - digits.count) + digits
  }

  /// The bytes of a text in Base64 with its quotation marks; `nil` if it is not one.
  private static func decoded(_ value: ArraySlice<UInt8>) -> [UInt8]? {
    var bytes: [UInt8] = []
    return Base64.decode(text(value), into: &bytes) ? bytes : nil
  }
}
