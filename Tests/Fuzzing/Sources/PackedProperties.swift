import Archives
import EventSourcing
import Forensics
import Journal

/// What must hold for any bytes in the place of an export or an archive.
enum PackedProperties {
  /// What one input may cost.
  private static var limits: ExportFormat.Limits {
    ExportFormat.Limits(fileBytes: 1 << 20, textBytes: 4 << 20, events: 2000, contentBytes: 1 << 20)
  }

  /// An export: what is read of it is read of its compressed form too, and is written as a journal of the same events.
  ///
  /// What the records say of each other is put right in half of the inputs.
  static func checkExport(_ input: [UInt8]) throws(PropertyFailure) {
    let isRepaired = !input.starts(with: [0x1F, 0x8B]) && ChecksumRepair.crc(0, input) & 1 == 0
    let bytes = isRepaired ? ExportRepair.repaired(input) : input
    let history = read(bytes)
    if !bytes.starts(with: [0x1F, 0x8B]) {
      var packed: [UInt8] = []
      let gzip = GzipWriter { packed += $0 }
      gzip.write(bytes)
      gzip.finish()
      let other = read(packed)
      try require(
        other?.payloads == history?.payloads && other?.lastSequence == history?.lastSequence
          && other?.ending == history?.ending, "an export is another one when it is compressed")
    }
    guard let history else { return }
    try require(history.eventCount <= limits.events, "more events are read than the limit allows")
    let files = FuzzFileSystem([:])
    do throws(JournalError) {
      try history.write(to: "j", files)
    } catch {
      return try require(error.code != .inputOutput, "what is read of an export cannot be written: \(error)")
    }
    let written = JournalProperties(files: files.files).payloads.filter { !$0.isEmpty }
    try require(
      written == history.payloads.filter { !$0.isEmpty }, "the journal of an export has other events than the export")
  }

  private static func read(_ bytes: [UInt8]) -> ExportedHistory? { try? ExportReader.read(bytes, limits: limits) }

  /// An archive: what is read of it stays within the limits, and no name leads out of it.
  static func checkArchive(_ bytes: [UInt8]) throws(PropertyFailure) {
    var limits = ArchiveLimits()
    (limits.entries, limits.contentBytes, limits.fileBytes) = (50, 1 << 20, 512 << 10)
    (limits.streamBytes, limits.freeBytes) = (4 << 20, 1 << 20)
    let contents = try? ArchiveContents(bytes, limits: limits, keepsParts: bytes.count % 2 == 0) { name, _ in
      name.hasSuffix(".tmp") ? .other : .wanted
    }
    guard let contents else { return }
    let sizes = contents.files.values.flatMap { $0.values.map(\.count) }
    try require(sizes.reduce(0, +) <= limits.contentBytes, "an archive has more content than the limit allows")
    try require(sizes.allSatisfy { $0 <= limits.fileBytes }, "a file of an archive is longer than the limit allows")
    try require(
      sizes.count + contents.refused.count + contents.otherCount <= limits.entries,
      "an archive has more entries than the limit allows")
    for (folder, files) in contents.files {
      let parts = folder.split(separator: "/")
      try require(
        !folder.hasPrefix("/") && !parts.contains("..") && parts.count <= limits.depth
          && files.keys.allSatisfy { !$0.contains("/") }, "a name in an archive leads out of it")
    }
  }

  // MARK: Inputs to begin with

  /// Exports of journals.
  static func exports(_ fixtures: Fixtures) -> [[UInt8]] {
    [Fixtures.retired, Fixtures.withKeyframes].flatMap { index -> [[UInt8]] in
      let files = FuzzFileSystem(fixtures.journals[index])
      guard let history = try? History<ContentProperties.Machine>(at: "j", fileSystem: files),
        let report = try? history.reader.verify()
      else { return [] }
      var export = HistoryExport(history)
      export.pseudonyms = nil
      var packed: [UInt8] = []
      guard (try? export.write(report, to: { packed += $0 })) != nil else { return [] }
      let gzip = GzipReader(packed)
      var text: [UInt8] = []
      while let piece = gzip.next() { text += piece }
      // Also one with lost events in the place of its end.
      let (lines, last) = (text.split(separator: UInt8(ascii: "\n")), read(text)?.lastSequence ?? 0)
      let gap = "{\"kind\":\"gap\",\"from\":\(last + 1),\"to\":\(last + 40)}\n"
      let lost = lines.dropLast().flatMap { $0 + [0x0A] } + gap.utf8
      return [text, packed, Array(text.prefix(text.count / 2)), lost + lines[lines.count - 1] + [0x0A]]
    }
  }

  /// Archives of journals.
  static func archives(_ fixtures: Fixtures) -> [[UInt8]] {
    let journal = fixtures.journals[Fixtures.closed].filter { $0.value.count < 2000 }
    let files = journal.sorted { $0.key < $1.key }.prefix(4).map { (name: "a/j/" + $0.key, bytes: $0.value) }
    let (tar, zip, streamed) = (ArchiveSamples.tar(files), ArchiveSamples.zip(files), ArchiveSamples.streamedZip(files))
    var packed: [UInt8] = []
    let gzip = GzipWriter { packed += $0 }
    gzip.write(tar)
    gzip.finish()
    return [tar, packed, zip, streamed, Array(zip.prefix(zip.count / 2)), Array(tar.prefix(600))]
  }
}
