import CZlib
import JSON
import Journal

/// One line of a ledger: what was found at a place, and the stamp of its files then.
struct FleetLedgerEntry {
  var place: FleetPlace
  var stamp: String?
  var rows: [FleetRow]

  /// The line, with its checksum.
  var line: [UInt8] {
    Self.line(
      .object([
        .init("folder", .number(place.folder)), .init("path", .string(place.path)),
        .init("stamp", stamp.map(JSONValue.string) ?? .null),
        .init("rows", .array(rows.map { .object($0.members) })),
      ]))
  }

  /// The first line, which names the run.
  static func line(of head: FleetLedger.Head) -> [UInt8] {
    line(
      .object([
        .init("fleet", 1), .init("program", .string(head.program)),
        .init("folders", .array(head.folders.map { .string($0) })),
      ]))
  }

  private static func line(_ value: JSONValue) -> [UInt8] {
    let text = Array(value.text(style: .compact).utf8)
    var line: [UInt8] = []
    line.append(hexadecimal: checksum(text))
    return line + [UInt8(ascii: " ")] + text + [UInt8(ascii: "\n")]
  }

  /// The CRC-32 of a text, the most significant byte first.
  static func checksum(_ text: some Collection<UInt8>) -> [UInt8] {
    let sum = Array(text).withUnsafeBufferPointer { crc32(0, $0.baseAddress, UInt32($0.count)) }
    return (0..<4).map { UInt8(truncatingIfNeeded: sum >> (24 - 8 * $0)) }
  }

  init(place: FleetPlace, stamp: String?, rows: [FleetRow]) {
    (self.place, self.stamp, self.rows) = (place, stamp, rows)
  }

  init(_ node: JSONNode) throws(JSONError) {
    place = FleetPlace(
      folder: try node.required("folder").integer(in: 0...Int.max), path: try node.required("path").string())
    stamp = try node.present("stamp")?.string()
    rows = try node.required("rows").elements().map { (element) throws(JSONError) in try FleetRow(element) }
  }
}

/// Reads a ledger line by line, up to its end or to the first line that is damaged or was not written to its end.
struct FleetLedgerReader {
  let file: OpenFile
  private let path: String
  private let fileSystem: any FileSystem
  private var buffer: [UInt8] = []
  private var position = 0
  private var offset: UInt64 = 0
  private static let blockSize = 64 << 10
  /// The longest line: an archive may hold many journals.
  private static let maximumLine = 256 << 20

  init(_ file: OpenFile, _ path: String, _ fileSystem: any FileSystem) {
    (self.file, self.path, self.fileSystem) = (file, path, fileSystem)
  }

  /// The first line; `nil` if it is none of a ledger.
  mutating func head() throws(FleetLedgerError) -> FleetLedger.Head? {
    guard let node = try node() else { return nil }
    do throws(JSONError) {
      guard try node.required("fleet").integer(in: 0...Int.max) == 1 else { return nil }
      return FleetLedger.Head(
        program: try node.required("program").string(),
        folders: try node.required("folders").elements().map { (element) throws(JSONError) in try element.string() })
    } catch {
      return nil
    }
  }

  /// Whether the file, which has no first line, is the beginning of one.
  var isBegun: Bool {
    let digits = buffer.prefix(8)
    let rest = buffer.dropFirst(8)
    return digits.allSatisfy { "0123456789abcdef".utf8.contains($0) }
      && zip(rest, " {\"fleet\":1,".utf8).allSatisfy { $0 == $1 } && !buffer.contains(UInt8(ascii: "\n"))
  }

  /// The next entry; `nil` at the end.
  mutating func next() throws(FleetLedgerError) -> FleetLedgerEntry? {
    guard let node = try node() else { return nil }
    return try? FleetLedgerEntry(node)
  }

  private mutating func node() throws(FleetLedgerError) -> JSONNode? {
    guard let line = try line(), line.count > 9, line[8] == UInt8(ascii: " ") else { return nil }
    let text = line[9...]
    var sum: [UInt8] = []
    sum.append(hexadecimal: FleetLedgerEntry.checksum(text))
    guard sum.elementsEqual(line[..<8]), let document = try? JSONDocument.parse(Array(text)) else { return nil }
    return document.root
  }

  /// The next line without its end; `nil` where no line ends.
  private mutating func line() throws(FleetLedgerError) -> [UInt8]? {
    var searched = position
    while true {
      if let end = buffer[searched...].firstIndex(of: UInt8(ascii: "\n")) {
        defer { position = end + 1 }
        return Array(buffer[position..<end])
      }
      searched = buffer.count - position
      buffer.removeSubrange(..<position)
      position = 0
      guard buffer.count < Self.maximumLine, try fill() else { return nil }
    }
  }

  /// Reads on; `false` at the end of the file.
  private mutating func fill() throws(FleetLedgerError) -> Bool {
    var block = [UInt8](repeating: 0, count: Self.blockSize)
    let count: Int
    do {
      count = try block.withUnsafeMutableBytes { try fileSystem.read(file, into: $0, at: offset) }
    } catch {
      throw FleetLedgerError(.fileSystem, path, "\(error)")
    }
    buffer += block[..<count]
    offset += UInt64(count)
    return count > 0
  }
}
