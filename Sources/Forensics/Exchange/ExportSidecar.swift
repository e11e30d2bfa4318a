import JSON
import Journal

/// What an imported journal keeps of its export besides events, so that exporting it again gives the same file: the first
/// record, the damage of the journal that was exported, and the records and members that the importing program did not know.
///
/// It applies as long as the journal is exactly what was imported. Whether the events were redacted counts longer: see
/// ``ExportOrigin``.
struct ExportSidecar {
  /// A record as its line had it.
  struct Record {
    /// The last event before it.
    var after: UInt64
    /// The line, without its end.
    var line: String
  }

  /// The place after the last event that was imported.
  var end: JournalTranscript.Place
  /// The export's first record.
  var start: JSONObject
  /// The others, in their order.
  var records: [Record]
  /// The members that the importing program did not know.
  var additions: ExportAdditions

  /// The longest file that is read.
  private static let longest = 64 << 20
  /// The members of a record lie one level deeper here than in the export.
  private static let limits = JSONDocument.Limits(depth: JSONDocument.Limits().depth + 1)

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

  /// Leaves out what this program does not know, so that it cannot tell what is personal in it, and returns how many records
  /// of each kind that is. Addresses in the others get pseudonyms.
  mutating func withholdUnknown(_ pseudonyms: Pseudonyms) -> [String: UInt64] {
    var withheld: [String: UInt64] = [:]
    records = records.compactMap { record in
      let members = (try? JSONDocument.parse(record.line).root.object())?.members ?? []
      let kind = members.first { $0.name == "kind" }?.value.string
      guard kind == "damage" else {
        withheld[kind ?? "", default: 0] += 1
        return nil
      }
      let known = JSONObject(members.filter { ExportAdditions.knows($0.name, in: "damage") })
      let line = JSONValue(.object(known)).text(style: .compact)
      return Record(after: record.after, line: pseudonyms.json(line, isPersonal: false))
    }
    start = JSONObject(start.members.filter { ExportAdditions.knows($0.name, in: "start") })
    additions = ExportAdditions()
    return withheld
  }

  // MARK: In a journal's directory

  /// What the file of a journal says that is a copy of a redacted one, or continues from it.
  static let markOfRedaction = Array("{\"kind\":\"derived\",\"redacted\":true}\n".utf8)

  /// Reads the file: what an import kept, or only that the events were redacted.
  static func read(_ bytes: [UInt8]) throws(JSONError) -> (sidecar: ExportSidecar?, wasRedacted: Bool) {
    let lines = bytes.split(separator: UInt8(ascii: "\n"))
    let first = try JSONDocument.parse(Array(lines.first ?? []), limits: limits).root
    guard try first.required("kind").string() == "exported" else {
      return (nil, try first.required("redacted").bool())
    }
    let start = try first.required("start")
    let wasRedacted = try start.required("redacted").bool()
    let chain = try first.required("chain")
    guard let value = ExportFormat.chain(try chain.string()) else {
      throw chain.error(.invalidValue, "a chain value has eight hexadecimal digits", remedy: "import the file again")
    }
    var records: [Record] = []
    var additions = ExportAdditions()
    for line in lines.dropFirst() {
      let line = try JSONDocument.parse(Array(line), limits: limits).root
      if try additions.read(line) { continue }
      records.append(
        Record(after: try line.required("after").integer(), line: try line.required("record").string()))
    }
    let end = JournalTranscript.Place(sequence: try first.required("last").integer(), chain: value)
    return (
      ExportSidecar(end: end, start: try start.object(), records: records, additions: additions), wasRedacted
    )
  }

  /// Whether a journal is exactly what was imported.
  func applies(to reader: JournalReader) -> Bool {
    let first: UInt64? = start["first"].flatMap { try? JSONNode($0).integer() }
    guard first == reader.start.sequence + 1, reader.durableSequence == end.sequence else { return false }
    return end.sequence == 0 || (try? reader.parent(at: end.sequence).chain) == end.chain
  }

  // Error numbers of POSIX, the same on every system that this runs on.
  private static let noEntry: Int32 = 2
  private static let fileTooLarge: Int32 = 27

  private static func path(in folder: String) -> String {
    folder.hasSuffix("/") ? folder + ExportFormat.sidecar : folder + "/" + ExportFormat.sidecar
  }

  /// The bytes of the file; `nil` if there is none.
  static func contents(of folder: String, _ fileSystem: any FileSystem) throws(FileSystemError) -> [UInt8]? {
    let file: OpenFile
    do throws(FileSystemError) {
      file = try fileSystem.open(path(in: folder), .read)
    } catch {
      if error.code == noEntry { return nil }
      throw error
    }
    defer { fileSystem.close(file) }
    let size = try fileSystem.size(of: file)
    guard size <= longest else { throw FileSystemError(fileTooLarge, during: "read") }
    var bytes = [UInt8](repeating: 0, count: Int(size))
    var done = 0
    while done < bytes.count {
      let result = bytes.withUnsafeMutableBytes { buffer in
        Result { () throws(FileSystemError) in
          try fileSystem.read(file, into: UnsafeMutableRawBufferPointer(rebasing: buffer[done...]), at: UInt64(done))
        }
      }
      let count = try result.get()
      guard count > 0 else { break }
      done += count
    }
    return Array(bytes[..<done])
  }

  /// Writes the file.
  ///
  /// - Throws: `inputOutput`; `tooLarge` for more than is read again.
  static func write(_ bytes: [UInt8], to folder: String, _ fileSystem: any FileSystem) throws(JournalError) {
    guard bytes.count <= longest else {
      throw JournalError(
        .tooLarge,
        "what the export says besides events has more than \(longest >> 20) MiB, and could not be exported again",
        remedy: "ask for an export of a range of the journal", file: ExportFormat.sidecar)
    }
    do throws(FileSystemError) {
      let file = try fileSystem.open(path(in: folder), .replace)
      defer { fileSystem.close(file) }
      var done = 0
      while done < bytes.count {
        let result = bytes.withUnsafeBytes { buffer in
          Result { () throws(FileSystemError) in
            try fileSystem.write(file, UnsafeRawBufferPointer(rebasing: buffer[done...]), at: UInt64(done))
          }
        }
        done += try result.get()
      }
      try fileSystem.sync(file)
      try fileSystem.syncDirectory(folder)
    } catch {
      throw JournalError(
        .inputOutput, "\(error)", remedy: "check the device, and import the file again", file: ExportFormat.sidecar,
        errorNumber: error.code)
    }
  }
}
