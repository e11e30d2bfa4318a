import AppProtection
import EventSourcing
import Journal

/// The journals that changes start from: small ones, because an input is read many times.
package struct Fixtures: Sendable {
  /// Files by name, for each journal.
  package let journals: [[String: [UInt8]]]
  /// The payloads of the golden journals' events.
  let payloads: [[UInt8]]
  /// Policy documents.
  package let documents: [[UInt8]]
  /// Property lists, exports of policies and logs, as tests have them.
  let texts: [FuzzTarget: [[UInt8]]]
  /// Descriptions of events.
  let catalogs = [AppProtectionEvent.catalog.encode(), domain?.catalog].compactMap(\.self)

  /// `HEAD` of a journal in which nothing was synced yet: any segment may follow it.
  let freshHead: [UInt8]

  /// Several segments, a checkpoint, closed.
  static let closed = 0
  /// The same, left open.
  static let leftOpen = 1
  /// Real events, the first of which are retired after a checkpoint.
  static let retired = 2
  /// Real events with keyframes.
  static let withKeyframes = 3
  /// How many bytes the files of a golden journal may have.
  private static let largest = 12 << 10
  /// How many bytes a golden event may have in the journals that are made here.
  private static let small = 200

  /// A domain that is not app protection's.
  private static let domain = try? JournalDomain(
    name: "fuzz.example",
    catalog: EventCatalog([
      EventDescriptor(
        2, "ship.sailed",
        body: MessageDescriptor("Sailed", [FieldDescriptor(1, "miles", .unsigned, .single, "how far")]),
        meaning: "A ship sailed.")
    ]).encode())

  /// The golden journals of a checkout, and journals that are made here.
  package init(root: String) {
    let files = PosixFileSystem()
    var golden: [[String: [UInt8]]] = []
    for name in ((try? files.list(root + "/journals")) ?? []).sorted() {
      let directory = Self.read(files, "\(root)/journals/\(name)/journal")
      if !directory.isEmpty { golden.append(directory) }
    }
    payloads = golden.flatMap { JournalProperties(files: $0).payloads }
    // Without policies, which are large.
    let small = payloads.filter { (1..<Self.small).contains($0.count) }
    journals =
      [
        Self.make(events: 30, segmentSize: 1 << 10, closings: [30]),
        Self.make(events: 25, segmentSize: 1 << 10, closings: []), Self.retired(small.prefix(30)),
        Self.withKeyframes(small.prefix(14)),
        // Closing ends a block.
        Self.make(events: 20, segmentSize: 1 << 20, closings: [4, 11, 20]),
        Self.make(events: 30, segmentSize: 1 << 10, closings: [12, 30], domain: Self.domain),
      ] + golden.filter { $0.values.reduce(0) { $0 + $1.count } <= Self.largest }
    freshHead = Self.files { files in _ = try Self.create(files, JournalOptions()) }["HEAD"] ?? []
    documents = Self.read(files, "\(root)/journals/documents").sorted { $0.key < $1.key }.map(\.value)
    func texts(_ folder: String, _ ending: String = "") -> [[UInt8]] {
      Self.read(files, "\(root)/Tests/pj/\(folder)").filter { $0.key.hasSuffix(ending) }.sorted { $0.key < $1.key }
        .map(\.value)
    }
    let tenant = "Policies/Tenant"
    self.texts = [
      .propertyList: texts("PropertyLists"), .yaml: texts("\(tenant)/App Protection", ".yaml"),
      .powerShell: texts(tenant, ".ps1"), .sdkLog: texts("IntuneLogs").filter { !$0.starts(with: [0x23]) },
    ]
  }

  /// The inputs of a target that a checkout keeps, by name.
  package static func inputs(of target: FuzzTarget, root: String) -> [(name: String, bytes: [UInt8])] {
    read(PosixFileSystem(), "\(root)/Tests/Fuzzing/Inputs/\(target.rawValue)").sorted { $0.key < $1.key }
      .map { (name: $0.key, bytes: $0.value) }
  }

  private static func read(_ files: PosixFileSystem, _ path: String) -> [String: [UInt8]] {
    var contents: [String: [UInt8]] = [:]
    for name in (try? files.list(path)) ?? [] where name != "LOCK" {
      guard let file = try? files.open(path + "/" + name, .read) else { continue }
      defer { files.close(file) }
      var bytes = [UInt8](repeating: 0, count: Int((try? files.size(of: file)) ?? 0))
      let count = bytes.withUnsafeMutableBytes { buffer in (try? files.read(file, into: buffer, at: 0)) ?? 0 }
      contents[name] = Array(bytes.prefix(count))
    }
    return contents
  }

  /// Gives an empty file system to `body`, and returns what it left there.
  private static func files(_ body: (FuzzFileSystem) throws -> Void) -> [String: [UInt8]] {
    let files = FuzzFileSystem([:])
    guard (try? body(files)) != nil else { return [:] }
    var contents = files.files
    contents["LOCK"] = nil
    return contents
  }

  private static func create(_ files: FuzzFileSystem, _ options: JournalOptions) throws(JournalError) -> JournalWriter {
    try JournalWriter.create(
      at: "j", id: JournalID(bytes: Array(0..<16)) ?? .none, createdNanoseconds: 9, options: options, fileSystem: files)
  }

  private static func options(segmentSize: UInt64, preallocation: UInt64 = 0) -> JournalOptions {
    var options = JournalOptions()
    options.segmentSizeLimit = segmentSize
    options.preallocation = preallocation
    return options
  }

  /// A journal with a checkpoint, in batches of one to four events, that is closed after some of them.
  private static func make(
    events: Int, segmentSize: UInt64, closings: Set<Int>, domain: JournalDomain? = nil
  ) -> [String: [UInt8]] {
    files { files in
      var options = options(segmentSize: segmentSize, preallocation: closings.isEmpty ? 512 : 0)
      options.domain = domain
      var journal = try create(files, options)
      var batch = JournalBatch()
      for number in 1...events {
        try batch.append(payload: (0..<(number * 7) % 23).map { UInt8(truncatingIfNeeded: $0 &* number) }, label: 1)
        if number % 4 != 1 || closings.contains(number) { try journal.append(&batch) }
        if number == 14 { try journal.writeCheckpoint(sequence: 12, body: [1, 2, 3]) }
        if closings.contains(number) {
          try journal.close()
          if number < events { journal = try JournalWriter.open(at: "j", options: options, fileSystem: files) }
        }
      }
      if !batch.isEmpty { try journal.append(&batch) }
    }
  }

  /// A closed journal with an event in each batch.
  private static func write(_ payloads: some Sequence<[UInt8]>, _ options: JournalOptions, _ files: FuzzFileSystem)
    throws
  {
    let journal = try create(files, options)
    var batch = JournalBatch()
    for payload in payloads {
      try batch.append(payload: payload, label: 1)
      try journal.append(&batch)
    }
    try journal.close()
  }

  private static func retired(_ payloads: some Sequence<[UInt8]>) -> [String: [UInt8]] {
    files { files in
      var options = StoreOptions()
      options.journal = Self.options(segmentSize: 1 << 10)
      try write(payloads, options.journal, files)
      let store = try EventStore<AppProtectionMachine>.open(at: "j", options: options, fileSystem: files)
      try store.checkpoint()
      try store.retire(before: 16)
      try store.close()
    }
  }

  private static func withKeyframes(_ payloads: some Sequence<[UInt8]>) -> [String: [UInt8]] {
    files { files in
      try write(payloads, options(segmentSize: 1 << 20), files)
      try History<AppProtectionMachine>(at: "j", fileSystem: files).rebuildKeyframes(every: 5)
    }
  }
}
