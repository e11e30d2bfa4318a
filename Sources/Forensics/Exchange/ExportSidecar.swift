import JSON
import Journal

/// What an imported journal keeps of its export besides events, so that exporting it again gives the same file: the first
/// record, the damage of the journal that was exported, and the records and members that the importing program did not know.
///
/// It applies as long as the journal is exactly what was imported.
struct ExportSidecar {
  /// A record as its line had it.
  struct Record {
    /// The last event before it.
    var after: UInt64
    /// The line, without its end.
    var line: String
  }

  /// The place behind the last event that was imported.
  var end: JournalTranscript.Place
  /// The export's first record.
  var start: JSONObject
  /// The others, in their order.
  var records: [Record]
  /// The members that the importing program did not know.
  var additions: ExportAdditions

  /// The longest file that is read.
  private static let longest = 64 << 20

  /// The file.
  var bytes: [UInt8] {
    var lines: [JSONValue] = [
      .object([
        .init("kind", .string("exported")), .init("last", .number(end.sequence)),
        .init("chain", .string(ExportFormat.text(ofChain: end.chain))), .init("start", JSONValue(.object(start))),
      ])
    ]
    for record in records {
      lines.append(.object([.init("after", .number(record.after)), .init("record", .string(record.line))]))
    }
    lines += additions.lines
    return Array((lines.map { $0.text(style: .compact) }.joined(separator: "\n") + "\n").utf8)
  }

  init(end: JournalTranscript.Place, start: JSONObject, records: [Record], additions: ExportAdditions) {
    (self.end, self.start, self.records, self.additions) = (end, start, records, additions)
  }

  /// Leaves out everything that this program does not know, so that it cannot tell what is personal in it.
  mutating func withholdUnknown() {
    start = JSONObject(start.members.filter { ExportAdditions.knows($0.name, in: "start") })
    records.removeAll { record in
      guard let members = try? JSONDocument.parse(record.line).root.object().members else { return true }
      return !members.allSatisfy { ExportAdditions.knows($0.name, in: "damage") }
        || members.first { $0.name == "kind" }?.value.string != "damage"
    }
    additions = ExportAdditions()
  }

  /// The sidecar of a journal; `nil` where it has none, or one that is damaged or of another history.
  init?(of reader: JournalReader) {
    let path =
      reader.path.hasSuffix("/") ? reader.path + ExportFormat.sidecar : reader.path + "/" + ExportFormat.sidecar
    guard let bytes = Self.contents(path, reader.fileSystem) else { return nil }
    let lines = bytes.split(separator: UInt8(ascii: "\n")).map { try? JSONDocument.parse(Array($0)).root }
    guard let first = lines.first ?? nil, (try? first.required("kind").string()) == "exported",
      let last: UInt64 = try? first.required("last").integer(),
      let chain = (try? first.required("chain").string()).flatMap({ ExportFormat.chain($0) }),
      let start = try? first.required("start").object(), reader.durableSequence == last,
      last == 0 || (try? reader.parent(at: last).chain) == chain
    else { return nil }
    var records: [Record] = []
    var additions = ExportAdditions()
    for line in lines.dropFirst() {
      guard let line, let isAddition = try? additions.read(line) else { return nil }
      if isAddition { continue }
      guard let after: UInt64 = try? line.required("after").integer(), let text = try? line.required("record").string()
      else { return nil }
      records.append(Record(after: after, line: text))
    }
    self.init(end: .init(sequence: last, chain: chain), start: start, records: records, additions: additions)
  }

  private static func contents(_ path: String, _ fileSystem: any FileSystem) -> [UInt8]? {
    guard let file = try? fileSystem.open(path, .read) else { return nil }
    defer { fileSystem.close(file) }
    guard let size = try? fileSystem.size(of: file), size <= longest else { return nil }
    var bytes = [UInt8](repeating: 0, count: Int(size))
    var done = 0
    while done < bytes.count {
      let count = try? bytes.withUnsafeMutableBytes { buffer in
        try fileSystem.read(file, into: UnsafeMutableRawBufferPointer(rebasing: buffer[done...]), at: UInt64(done))
      }
      guard let count, count > 0 else { return nil }
      done += count
    }
    return bytes
  }
}
