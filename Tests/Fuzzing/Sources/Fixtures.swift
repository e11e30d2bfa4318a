import Journal

/// The journals that changes start from.
package struct Fixtures: Sendable {
  /// Files by name, for each journal.
  package let journals: [[String: [UInt8]]]
  /// Policy documents.
  package let documents: [[UInt8]]

  /// The golden journals of a checkout, and journals that are made here.
  package init(root: String) {
    let files = PosixFileSystem()
    var journals = [Self.make(events: 40, segmentSize: 1 << 10, closes: true)]
    journals.append(Self.make(events: 25, segmentSize: 1 << 10, closes: false))
    for name in ((try? files.list(root + "/journals")) ?? []).sorted() {
      let directory = Self.read(files, "\(root)/journals/\(name)/journal")
      if !directory.isEmpty { journals.append(directory) }
    }
    journals.append(Self.make(events: 2100, segmentSize: 1 << 20, closes: true))
    self.journals = journals
    documents = Self.read(files, "\(root)/journals/documents").sorted { $0.key < $1.key }.map(\.value)
  }

  private static func read(_ files: PosixFileSystem, _ path: String) -> [String: [UInt8]] {
    var contents: [String: [UInt8]] = [:]
    for name in (try? files.list(path)) ?? [] {
      guard let file = try? files.open(path + "/" + name, .read) else { continue }
      defer { files.close(file) }
      var bytes = [UInt8](repeating: 0, count: Int((try? files.size(of: file)) ?? 0))
      let count = bytes.withUnsafeMutableBytes { buffer in (try? files.read(file, into: buffer, at: 0)) ?? 0 }
      contents[name] = Array(bytes.prefix(count))
    }
    return contents
  }

  /// A journal with checkpoints, in batches of one to four events.
  private static func make(events: Int, segmentSize: UInt64, closes: Bool) -> [String: [UInt8]] {
    let files = FuzzFileSystem([:])
    var options = JournalOptions()
    options.segmentSizeLimit = segmentSize
    options.preallocation = closes ? 0 : 512
    do {
      let journal = try Journal.create(
        at: "j", id: JournalID(bytes: Array(0..<16)) ?? .none, createdNanoseconds: 9, options: options,
        fileSystem: files)
      var batch = JournalBatch()
      for number in 1...events {
        try batch.append(payload: (0..<(number * 7) % 23).map { UInt8(truncatingIfNeeded: $0 &* number) }, label: 1)
        if number % 4 != 1 { try journal.append(&batch) }
        if number == 14 { try journal.writeCheckpoint(sequence: 12, body: [1, 2, 3]) }
      }
      if !batch.isEmpty { try journal.append(&batch) }
      if closes { try journal.close() }
    } catch {
      return [:]
    }
    var contents = files.files
    contents["LOCK"] = nil
    return contents
  }
}
