import Journal

/// What a fuzzer's input is taken for.
package enum FuzzTarget: String, CaseIterable, Sendable {
  /// A journal of the fixtures and changes to its files.
  case directory
  /// The whole of a segment file.
  case segment
  /// The whole of a `HEAD` file.
  case head
  /// The whole of a `KEPT` file.
  case kept
  /// The whole of a `KEYFRAMES` file.
  case keyframes
  /// The body of a checkpoint.
  case checkpoint
  /// The payload of a footer.
  case footer
  /// The payload of an event.
  case event
  /// A JSON text or policy document.
  case document
  /// Changes to a protected file, to protected data or to a key file.
  case protection
  /// The lines of an export, or its compressed bytes.
  case export
  /// A zip or tar file.
  case archive
  /// A file of a spool, or what it holds.
  case spool
  /// A property list.
  case propertyList
  /// An export of policies as YAML.
  case yaml
  /// An export of policies as PowerShell.
  case powerShell
  /// A log of the SDK.
  case sdkLog
  /// The whole of a key file.
  case keyFile
  /// The catalogue of a domain's events.
  case catalog
  /// The executable of an app, with its signature.
  case machO
  /// The project of Xcode.
  case xcodeProject

  /// Takes an input, and fails where something does not hold that must.
  package func check(_ input: [UInt8], _ fixtures: Fixtures) throws(PropertyFailure) {
    switch self {
    case .directory:
      var script = EditScript(input)
      var files = fixtures.journals[script.byte() % fixtures.journals.count]
      let repair = script.run(on: &files)
      repair.apply(to: &files)
      try JournalProperties(files: files, look: look(input)).check()
      if input.count % 4 == 0 { try ContentProperties.checkHistory(files, look: look(input)) }
    case .segment, .head, .kept:
      let files = files(input, fixtures)
      try JournalProperties(files: files, look: look(input)).check()
      if self == .kept { try ContentProperties.checkHistory(files, look: look(input)) }
    case .keyframes:
      var files = fixtures.journals[Fixtures.withKeyframes]
      files["KEYFRAMES"] = input
      if look(input) & 4 == 0 { ChecksumRepair.records.apply(to: &files) }
      try ContentProperties.checkHistory(files, look: look(input))
    case .checkpoint:
      var files = fixtures.journals[Fixtures.withKeyframes]
      files["KEYFRAMES"] = nil
      files["00000000000000000005.ckpt"] = Self.checkpoint(input, in: files)
      try ContentProperties.checkHistory(files, look: look(input))
    case .footer:
      var files = fixtures.journals[Fixtures.closed]
      Self.replaceFooter(of: "00000000000000000001.seg", with: input, in: &files)
      try JournalProperties(files: files, look: look(input)).check()
    case .event: try ContentProperties.checkPayload(input)
    case .document: try ContentProperties.checkJSON(input)
    case .protection: try ProtectionProperties.check(input)
    case .export: try PackedProperties.checkExport(input)
    case .archive: try PackedProperties.checkArchive(input)
    case .spool: try SpoolProperties.check(input)
    case .propertyList: try TextProperties.checkPropertyList(input)
    case .yaml: try TextProperties.checkDocument(input, named: "a.yaml")
    case .powerShell: try TextProperties.checkDocument(input, named: "a.ps1")
    case .sdkLog: try TextProperties.checkLog(input)
    case .keyFile: try ProtectionProperties.checkKeyFile(input)
    case .catalog: try TextProperties.checkCatalog(input)
    case .machO: try SignatureProperties.check(input)
    case .xcodeProject: try SignatureProperties.checkProject(input)
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
      let identity = fixtures.journals[Fixtures.closed]["JOURNAL"]
      return fixtures.journals.filter { $0["JOURNAL"] == identity }.flatMap { files in
        files.filter { $0.key.hasSuffix(".seg") }.sorted { $0.key < $1.key }.map(\.value)
      }
    case .head: return fixtures.journals.compactMap { $0["HEAD"] }
    case .kept: return fixtures.journals.compactMap { $0["KEPT"] }
    case .keyframes: return fixtures.journals.compactMap { $0["KEYFRAMES"] }
    case .checkpoint:
      // The keyframe of the event that the checkpoint is of holds the same body as one.
      let page = fixtures.journals[Fixtures.withKeyframes]["KEYFRAMES"]?.prefix(4096) ?? []
      let length = page.count == 4096 ? min(Int(Array(page).word(at: 56)), 4024) : 0
      return [[8, 1], Array(page.dropFirst(72).prefix(length))]
    case .footer: return [[UInt8](repeating: 0, count: 80), [UInt8](repeating: 1, count: 160)]
    case .event: return fixtures.payloads.filter { $0.count < 1000 }
    case .document:
      let text = "{\"a\": [1, true, null, \"x\\u00e9\"]}"
      return fixtures.documents.filter { $0.count < 8000 } + [Array(text.utf8)]
    case .protection: return ProtectionProperties.seeds
    case .export: return PackedProperties.exports(fixtures)
    case .archive: return PackedProperties.archives(fixtures)
    case .spool: return SpoolProperties.seeds
    case .propertyList, .yaml, .powerShell, .sdkLog: return fixtures.texts[self] ?? []
    case .keyFile: return ProtectionProperties.keyFiles
    case .catalog: return fixtures.catalogs
    case .machO: return SignatureProperties.seeds
    case .xcodeProject: return [Array(SampleProject.text().utf8)]
    }
  }

  /// The longest input that is of use, in bytes.
  package var maximumLength: Int {
    switch self {
    case .directory, .kept, .protection: 200
    case .head, .footer, .machO: 1200
    case .segment, .checkpoint, .event, .document: 4000
    case .keyframes: 4 * 4096
    case .spool, .keyFile: 1000
    case .propertyList, .yaml, .powerShell, .sdkLog, .xcodeProject: 6000
    case .export, .archive, .catalog: 24_000
    }
  }

  /// Numbers that the input determines, so that many inputs choose everything there is to choose.
  private func look(_ input: [UInt8]) -> UInt32 { ChecksumRepair.crc(0, input) }

  /// A journal in which the input is a whole file, as it is or with some of the checksums put right.
  func files(_ input: [UInt8], _ fixtures: Fixtures) -> [String: [UInt8]] {
    var files = fixtures.journals[Fixtures.closed]
    switch self {
    case .head:
      if input.count % 2 == 1 { files = fixtures.journals[Fixtures.leftOpen] }
      files["HEAD"] = input
    case .kept:
      files = fixtures.journals[Fixtures.retired]
      files["KEPT"] = input
    default:
      files = files.filter { !$0.key.hasSuffix(".seg") && !$0.key.hasSuffix(".ckpt") }
      files["HEAD"] = fixtures.freshHead
      files["00000000000000000001.seg"] = input
    }
    switch look(input) >> 4 & 3 {
    case 0: break
    case 1: ChecksumRepair([.records, .frames]).apply(to: &files)
    default: ChecksumRepair([.records, .frames, .continuity, .blocks]).apply(to: &files)
    }
    return files
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
