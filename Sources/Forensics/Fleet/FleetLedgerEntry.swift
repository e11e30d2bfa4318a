import JSON
import Journal
import PlainText

/// What was found at a place, and the stamp of its files then. Each row is a line of the ledger.
struct FleetLedgerEntry {
  var place: FleetPlace
  var stamp: String?
  var rows: [FleetRow]

  /// The longest line. A row, which has limits of its own, is far below it.
  static let longestLine = 8 << 20

  /// The lines, each with its checksum.
  var lines: [UInt8] {
    let lines = rows.indices.map { Self.line(row(at: $0)) }
    // What could not be read back is examined again.
    guard !rows.isEmpty, lines.allSatisfy({ $0.count < Self.longestLine }) else { return [] }
    return lines.flatMap(\.self)
  }

  private func row(at index: Int) -> JSONValue {
    .object([
      .init("folder", .number(place.folder)), .init("path", .string(place.path)),
      .init("stamp", stamp.map(JSONValue.string) ?? .null), .init("number", .number(index)),
      .init("of", .number(rows.count)), .init("row", .object(rows[index].members)),
    ])
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
    let sum = Checksum.crc32(0, text)
    return (0..<4).map { UInt8(truncatingIfNeeded: sum >> (24 - 8 * $0)) }
  }

  init(place: FleetPlace, stamp: String?, rows: [FleetRow]) {
    (self.place, self.stamp, self.rows) = (place, stamp, rows)
  }
}

/// Reads a ledger line by line, up to its end or to the first line that is damaged or was not written to its end.
struct FleetLedgerReader {
  let file: OpenFile
  private let path: String
  private let fileSystem: any FileSystem
  private var buffer: [UInt8] = []
  private var position = 0
  /// The number of bytes that were read.
  private(set) var read: UInt64 = 0
  private static let blockSize = 64 << 10

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

  /// Whether a file without a sound first line is a ledger nevertheless: one that is damaged there. Its first line begins as
  /// such a line does, or the second one is sound.
  ///
  /// - Parameter isUnfinished: Whether a run may have been killed before it had written a beginning.
  mutating func isLedger(isUnfinished: Bool) throws(FleetLedgerError) -> Bool {
    // What the first line had is still in the buffer.
    let rest = buffer.dropFirst(8)
    let beginsAlike =
      buffer.prefix(8).allSatisfy { "0123456789abcdef".utf8.contains($0) }
      && zip(rest, Self.beginning.utf8).allSatisfy { $0 == $1 }
    if beginsAlike, isUnfinished || rest.count >= Self.beginning.utf8.count { return true }
    guard position > 0 else { return false }
    return try row() != nil
  }

  /// What follows the checksum of the first line.
  private static let beginning = " {\"fleet\":1,"

  /// The next entry; `nil` at the end.
  mutating func next() throws(FleetLedgerError) -> FleetLedgerEntry? {
    guard let (first, start, count) = try row(), start == 0 else { return nil }
    var (entry, number) = (first, 0)
    while number + 1 < count {
      guard let (more, next, _) = try row(), more.place == entry.place, next == number + 1 else { return nil }
      entry.rows += more.rows
      number = next
    }
    return entry
  }

  /// The next row, its number among those of its place, from 0, and how many these are.
  private mutating func row() throws(FleetLedgerError) -> (FleetLedgerEntry, number: Int, count: Int)? {
    guard let node = try node() else { return nil }
    do throws(JSONError) {
      let place = FleetPlace(
        folder: try node.required("folder").integer(in: 0...Int.max), path: try node.required("path").string())
      return (
        FleetLedgerEntry(
          place: place, stamp: try node.present("stamp")?.string(), rows: [try FleetRow(try node.required("row"))]),
        try node.required("number").integer(in: 0...Int.max - 1), try node.required("of").integer(in: 0...Int.max)
      )
    } catch {
      return nil
    }
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
      guard buffer.count < FleetLedgerEntry.longestLine, try fill() else { return nil }
    }
  }

  /// Reads on; `false` at the end of the file.
  private mutating func fill() throws(FleetLedgerError) -> Bool {
    var block = [UInt8](repeating: 0, count: Self.blockSize)
    let count: Int
    do {
      count = try block.withUnsafeMutableBytes { try fileSystem.read(file, into: $0, at: read) }
    } catch {
      throw FleetLedgerError(.fileSystem, path, "\(error)")
    }
    buffer += block[..<count]
    read += UInt64(count)
    return count > 0
  }
}
