import Expectations
import AppProtection
import EventSourcing
import Journal
import JournalSimulation
import JSON
import Testing

@testable import CommandSupport
@testable import Fuzzing
@testable import PolicyCommands

/// Journals of domains that no program here knows, sound and damaged: whatever is shown of them is what the catalogue in the
/// journal says, and no store of another domain touches them. `tools/random-domains` tries more seeds.
@Suite("Random catalogues and journals")
struct RandomDomainTests {
  private static func number(_ name: String) -> UInt64? {
    TestFiles.environment(name).flatMap { UInt64($0) }
  }

  static let seeds: [UInt64] = {
    let first = number("RANDOM_DOMAINS_SEED") ?? 1
    return Array(first..<first + (number("RANDOM_DOMAINS") ?? 4))
  }()

  private static let ownNames = AppProtectionEvent.catalog.entries.map(\.name)

  /// What the log shows of each event: type, whether it was read, and fields.
  private struct Shown: Equatable {
    var type: String?
    var isKnown: Bool
    var data: String
  }

  private static func shown(_ path: String) throws -> [UInt64: Shown] {
    let run = ToolRun("log", "-j", "--reveal", path)
    var events: [UInt64: Shown] = [:]
    for record in run.records {
      guard let object = try #require(record?.object, "\(run.output)") as JSONObject?,
        object["kind"]?.string == "event",
        let sequence = object["seq"].flatMap({ UInt64($0.text(style: .compact)) })
      else { continue }
      events[sequence] = Shown(
        type: object["type"]?.string, isKnown: object["known"]?.bool ?? false,
        data: object["data"]?.text(style: .compact) ?? "")
    }
    return events
  }

  /// What a program that has nothing but the catalogue must show.
  private static func expected(_ domain: RandomDomain, _ payloads: [[UInt8]], perCatalog count: Int) -> [UInt64: Shown]
  {
    var events: [UInt64: Shown] = [:]
    for (index, payload) in payloads.enumerated() {
      let catalog = domain.catalogs[index / count]
      let record = RecordedEvent<AppProtectionEvent>(
        sequence: 1, chain: 0, payload: payload.withUnsafeBytes { UnsafeRawBufferPointer($0) })
      guard let descriptor = catalog[record.envelope.type], record.envelope.type > 0 else { continue }
      events[UInt64(index) + 1] = Shown(type: descriptor.name, isKnown: true, data: "")
    }
    return events
  }

  private static func bytes(of path: String) throws -> [String: [UInt8]] {
    var files: [String: [UInt8]] = [:]
    for name in try TestFiles.names(in: path) where name != "LOCK" {
      files[name] = try TestFiles.read("\(path)/\(name)")
    }
    return files
  }

  private static func write(_ files: [String: [UInt8]], to path: String) throws {
    _ = TestFiles.shell("rm -rf '\(path)' && mkdir '\(path)'")
    for (name, bytes) in files { try TestFiles.write(bytes, to: "\(path)/\(name)") }
  }

  @Test("Sound journals of random domains are shown exactly as their catalogues say", arguments: seeds)
  func sound(seed: UInt64) throws {
    try TestFiles.withTemporaryFolder { folder in
      let domain = RandomDomain(seed: seed)
      let path = "\(folder)/j"
      let payloads = try domain.write(to: path, events: 12)
      let events = try Self.shown(path)
      expectEqual(events.count, payloads.count, "seed \(seed)")
      for (sequence, expected) in Self.expected(domain, payloads, perCatalog: 12) {
        expectEqual(events[sequence]?.type, expected.type, "seed \(seed), event \(sequence)")
      }
      try Self.check(path, as: domain, against: events, "seed \(seed)")
      let readers = IndependentReaderTests()
      for options in ["", "--by-catalog"] {
        let differences = try readers.reader(path, options: options).withoutUnreadable.differences(
          from: readers.tool(path).withoutUnreadable)
        expectEqual(differences, [], "seed \(seed)\(options)")
      }
    }
  }

  @Test("Damaged journals of random domains show nothing that their catalogues do not say", arguments: seeds)
  func damaged(seed: UInt64) throws {
    try TestFiles.withTemporaryFolder { folder in
      let domain = RandomDomain(seed: seed)
      let path = "\(folder)/j"
      _ = try domain.write(to: path, events: 12)
      let (events, files) = (try Self.shown(path), try Self.bytes(of: path))
      var random = SeededGenerator(seed: seed, 2)
      for round in 0..<6 {
        var changed = files
        // Payloads stay what they are, because frames are not put right.
        var script = EditScript((0..<(4 + random.below(40))).map { _ in UInt8(random.below(256)) })
        if script.run(on: &changed).contains(.records) { ChecksumRepair.records.apply(to: &changed) }
        try Self.write(changed, to: path)
        try Self.check(path, as: domain, against: events, "seed \(seed), round \(round)")
      }
    }
  }

  @Test(
    "Journals with app protection's name and a catalogue of another meaning are not taken for its own", arguments: seeds
  )
  func forged(seed: UInt64) throws {
    try TestFiles.withTemporaryFolder { folder in
      let domain = RandomDomain(seed: seed, named: AppProtectionEvent.domain)
      guard domain.catalogs.contains(where: { $0.contradiction(to: AppProtectionEvent.catalog) != nil }) else { return }
      let path = "\(folder)/j"
      let payloads = try domain.write(to: path, events: 6)
      let events = try Self.shown(path)
      expectEqual(events.count, payloads.count, "seed \(seed)")
      try Self.check(path, as: domain, against: events, "seed \(seed)")
      let readers = IndependentReaderTests()
      let differences = try readers.reader(path).withoutUnreadable.differences(
        from: readers.tool(path).withoutUnreadable)
      expectEqual(differences, [], "seed \(seed)")
    }
  }

  /// Every way to look at a journal, and the ways that must refuse it.
  private static func check(
    _ path: String, as domain: RandomDomain, against events: [UInt64: Shown], _ context: String
  ) throws {
    let before = try bytes(of: path)
    for (sequence, event) in try shown(path) { try check(event, sequence, events, domain, context) }
    let copy = "\(path)-salvaged"
    _ = TestFiles.shell("rm -rf '\(copy)'")
    for words in [
      ["log", path], ["log", "--reveal", path], ["show", path, "2"], ["show", "-j", path, "end"], ["stats", path],
      ["stats", "-j", path], ["verify", path], ["salvage", path, "-o", copy], ["compare", path, copy], ["log", copy],
    ] {
      let run = ToolRun(words)
      let own = ownNames.first { TestFiles.isFound($0, in: run.output) }
      #expect(own == nil, "\(context), \(words): \(own ?? "")")
    }
    for words in [["state", path], ["check", path], ["diff", path, "1", "2"], ["log", "--findings", path]] {
      let run = ToolRun(words)
      #expect(run.code != .done, "\(context), \(words): \(run.output)")
    }
    if (try? JournalReader(path: copy)) != nil {
      for (sequence, event) in try shown(copy) { try check(event, sequence, events, domain, "\(context), salvaged") }
    }
    for policy in [DamagePolicy.refuse, .continueAfterVerifiedPrefix] {
      var options = StoreOptions()
      options.onDamage = policy
      #expect(throws: HistoryError.self, "\(context)") {
        _ = try EventStore<AppProtectionMachine>.open(at: path, options: options)
      }
    }
    try expectEqual(bytes(of: path), before, "\(context)")
  }

  /// An event is shown as it was, or by number.
  private static func check(
    _ event: Shown, _ sequence: UInt64, _ events: [UInt64: Shown], _ domain: RandomDomain, _ context: String
  ) throws {
    let original = try #require(events[sequence], "\(context): event \(sequence) was never written")
    guard event != original else { return }
    #expect(
      !event.isKnown && !domain.typeNames.contains(event.type ?? "") && !ownNames.contains(event.type ?? ""),
      "\(context), event \(sequence): \(event), which was \(original)")
  }
}
