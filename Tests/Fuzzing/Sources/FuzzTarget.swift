import Journal

/// What a fuzzer's input is taken for.
package enum FuzzTarget: String, CaseIterable, Sendable {
  /// A journal of the fixtures and changes to its files.
  case directory
  /// The whole of a segment file.
  case segment
  /// The whole of a `HEAD` file.
  case head
  /// The body of a checkpoint.
  case checkpoint
  /// The payload of a footer.
  case footer
  /// The payload of an event.
  case event
  /// A JSON text or policy document.
  case document

  /// Takes an input, and fails where something does not hold that must.
  package func check(_ input: [UInt8], _ fixtures: Fixtures) throws(PropertyFailure) {
    switch self {
    case .directory:
      var script = EditScript(input)
      var files = fixtures.journals[script.byte() % fixtures.journals.count]
      let repair = script.run(on: &files)
      repair.apply(to: &files)
      try JournalProperties(files: files, look: ChecksumRepair.crc(0, input)).check()
      if input.count % 4 == 0 { try ContentProperties.checkHistory(files) }
    case .segment: try checkFile(input, as: "00000000000000000001.seg", in: 0, fixtures)
    case .head: try checkFile(input, as: "HEAD", in: input.count & 1, fixtures)
    case .checkpoint:
      var files = fixtures.journals[Self.goldenJournal]
      files["00000000000000000005.ckpt"] = Self.checkpoint(input, in: files)
      try ContentProperties.checkHistory(files)
    case .footer:
      var files = fixtures.journals[0]
      Self.replaceFooter(of: "00000000000000000001.seg", with: input, in: &files)
      try JournalProperties(files: files, look: ChecksumRepair.crc(0, input)).check()
    case .event: try ContentProperties.checkPayload(input)
    case .document: try ContentProperties.checkJSON(input)
    }
  }

  /// Inputs to begin with.
  package func seeds(_ fixtures: Fixtures) -> [[UInt8]] {
    switch self {
    case .directory:
      var seeds: [[UInt8]] = []
      for journal in fixtures.journals.indices {
        for kind in UInt8(0)..<16 { seeds.append([UInt8(journal), kind, kind &* 11, kind, 0, kind &* 16, 3, 4, 5]) }
      }
      return seeds
    case .segment:
      var seeds: [[UInt8]] = []
      for files in fixtures.journals {
        for (name, bytes) in files.sorted(by: { $0.key < $1.key }) where name.hasSuffix(".seg") && bytes.count < 20_000
        {
          seeds.append(bytes)
        }
      }
      return seeds
    case .head: return fixtures.journals.compactMap { $0["HEAD"] }
    case .checkpoint: return [[], [8, 1]]
    case .footer: return [[UInt8](repeating: 0, count: 80), [UInt8](repeating: 1, count: 160)]
    case .event:
      var seeds: [[UInt8]] = []
      for files in fixtures.journals.dropFirst(2).dropLast() { seeds += JournalProperties(files: files).payloads }
      return seeds
    case .document:
      let text = "{\"a\": [1, true, null, \"x\\u00e9\"]}"
      return fixtures.documents.filter { $0.count < 8000 } + [Array(text.utf8)]
    }
  }

  private static let goldenJournal = 3

  /// Once as it is, and once with right checksums.
  private func checkFile(
    _ input: [UInt8], as name: String, in journal: Int, _ fixtures: Fixtures
  ) throws(PropertyFailure) {
    var files = fixtures.journals[journal]
    if name.hasSuffix(".seg") {
      files = files.filter { !$0.key.hasSuffix(".seg") && !$0.key.hasSuffix(".ckpt") && $0.key != "HEAD" }
    }
    files[name] = input
    try JournalProperties(files: files, look: ChecksumRepair.crc(0, input)).check()
    let repair: ChecksumRepair =
      input.count & 2 == 0 ? [.records, .frames] : [.records, .frames, .continuity, .blocks]
    repair.apply(to: &files)
    if files[name] != input { try JournalProperties(files: files, look: ChecksumRepair.crc(0, input)).check() }
  }

  /// A checkpoint of event 5 with any body, whose header is right.
  private static func checkpoint(_ body: [UInt8], in files: [String: [UInt8]]) -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: 72) + body
    bytes.replaceSubrange(0..<8, with: [0x8A, 0x50, 0x4A, 0x43, 0x0D, 0x0A, 0x1A, 0x0A])
    bytes.put(UInt16(1), at: 8)
    bytes.put(UInt32(72), at: 12)
    bytes.replaceSubrange(16..<32, with: (files["JOURNAL"] ?? []).dropFirst(24).prefix(16))
    bytes.put(UInt64(5), at: 32)
    bytes.put(UInt64(1), at: 40)
    bytes.put(JournalProperties(files: files).chain(after: 5), at: 56)
    var repaired = ["JOURNAL": files["JOURNAL"] ?? [], "c.ckpt": bytes]
    ChecksumRepair.records.apply(to: &repaired)
    return repaired["c.ckpt"] ?? bytes
  }

  /// Gives a sealed segment another footer, with a trailer that leads to it.
  private static func replaceFooter(of name: String, with payload: [UInt8], in files: inout [String: [UInt8]]) {
    guard var bytes = files[name], bytes.count > 24 else { return }
    let start = Int(bytes.word(at: bytes.count - 16))
    guard start % 8 == 0, start + 16 < bytes.count else { return }
    let trailer = bytes.suffix(24)
    bytes.removeLast(bytes.count - start - 16)
    bytes.put(UInt32(payload.count & 0xFF_FFFF) | 4 << 24, at: start + 12)
    bytes += payload
    while bytes.count % 8 != 0 { bytes.append(0) }
    bytes += trailer
    files[name] = bytes
    ChecksumRepair.frames.apply(to: &files)
  }
}

extension JournalProperties {
  /// The payloads that a reader serves.
  var payloads: [[UInt8]] { served.map(\.payload) }

  func chain(after sequence: UInt64) -> UInt32 { served.first { $0.sequence == sequence }?.chain ?? 0 }

  private var served: [(sequence: UInt64, chain: UInt32, payload: [UInt8])] {
    var events: [(UInt64, UInt32, [UInt8])] = []
    guard let reader = try? JournalReader(path: "j", fileSystem: FuzzFileSystem(files)),
      var cursor = try? reader.cursor()
    else { return [] }
    while let item = try? cursor.next() {
      if case .event(let event) = item { events.append((event.sequence, event.chain, Array(event.payload))) }
    }
    return events
  }
}
