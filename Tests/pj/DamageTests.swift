import Expectations
import Testing

@testable import CommandSupport

/// One small journal, a flipped bit in every seventh byte, and every seventh length a file can be cut to. With `EVERY_BIT=1` in the
/// environment, every way a single bit can flip, and every length.
@Suite("Damage in every place of a small journal")
struct DamageTests {
  /// Six events, so that every one of some ten thousand bits can be tried.
  private static let scenario = """
    {"scenario": 1, "title": "small", "start": "2026-10-05T09:00:00Z",
     "accounts": {"alice": {"objectID": "6a3a5c1e-0f7e-4a52-9d3b-5e2c8a1f0b01"}},
     "steps": [{"service": {"alice": "noPolicy"}}, {"launch": {}}, {"registerAndEnroll": "alice"}]}
    """

  /// Shares of the work, so that cores work side by side.
  private static let shares = 0..<8
  /// One place in so many is damaged.
  private static let step = TestFiles.triesEverything ? 1 : 7
  /// How far the places of a share are from each other.
  private static let stride = step * shares.count

  /// Writes the small journal, and gives its path, its files and the lines that the log has for its events.
  private func withJournal(_ body: (String, [(name: String, bytes: [UInt8])], [UInt64: String]) throws -> Void) throws {
    try TestFiles.withTemporaryFolder { folder in
      let path = "\(folder)/small.pj"
      try TestFiles.write(Array(Self.scenario.utf8), to: "\(folder)/small.json")
      expectEqual(ToolRun("simulate", "\(folder)/small.json", "-o", path).code, .done)
      let log = ToolRun("log", path, "-j")
      expectEqual(log.code, .done)
      let files = try TestFiles.names(in: path).map { ($0, try TestFiles.read("\(path)/\($0)")) }
      // Nobody but a writer looks at LOCK, and nothing about the history is in it.
      try body(path, files.filter { $0.0 != "LOCK" }, Self.events(in: log))
    }
  }

  /// The lines of the events by number, without what they changed: that is unknown after damage.
  private static func events(in log: ToolRun) -> [UInt64: String] {
    var events: [UInt64: String] = [:]
    for line in log.lines where line.hasPrefix("{\"kind\":\"event\"") {
      guard let end = line.firstRange(of: ",\"changes\":")?.lowerBound,
        let number = line.firstMatch(of: /"seq":(\d+)/).flatMap({ UInt64($0.1) })
      else { continue }
      events[number] = String(line[..<end])
    }
    return events
  }

  /// The places of a share to damage: every byte of a file, or every third one; but of the catalogue, which one check covers,
  /// only one in 61.
  private static func places(in bytes: [UInt8], _ share: Int) -> [Int] {
    let size = bytes.count > 224 + 16 ? Int(bytes[224 + 12]) | Int(bytes[224 + 13]) << 8 : 0
    let catalog = 224 + 16..<max(224 + 16, 224 + size)
    return bytes.indices.filter { index in
      let step = catalog.contains(index) ? 61 : step
      return index % (step * shares.count) == share * step
    }
  }

  /// Runs both commands on a journal that is damaged, and checks that they say so and show nothing that is not true.
  private func check(_ path: String, _ original: [UInt64: String], maximumLost: Int?, _ place: String) {
    let verify = ToolRun("verify", path)
    let log = ToolRun("log", path, "-j")
    #expect(verify.code != .done, "verify: \(place)")
    #expect(log.code != .done, "log: \(place)")
    let events = Self.events(in: log)
    let wrong = events.filter { original[$0.key] != $0.value }
    #expect(wrong.isEmpty, "wrong events: \(place)")
    if let maximumLost { #expect(original.count - events.count <= maximumLost, "lost events: \(place)") }
  }

  @Test("Every flipped bit is found, costs one event at most, and never changes one", arguments: shares)
  func flips(share: Int) throws {
    try withJournal { path, files, original in
      for file in files {
        for index in Self.places(in: file.bytes, share) {
          for bit in 0..<8 where TestFiles.triesEverything || bit == (index / Self.stride) % 8 {
            var bytes = file.bytes
            bytes[index] ^= 1 << UInt8(bit)
            try TestFiles.write(bytes, to: "\(path)/\(file.name)")
            check(path, original, maximumLost: 1, "bit \(bit) of byte \(index) in \(file.name)")
          }
        }
        try TestFiles.write(file.bytes, to: "\(path)/\(file.name)")
      }
    }
  }

  @Test("Every cut is found, and no event is invented", arguments: shares)
  func cuts(share: Int) throws {
    try withJournal { path, files, original in
      for file in files {
        for length in Self.places(in: file.bytes, share) {
          try TestFiles.write(Array(file.bytes[..<length]), to: "\(path)/\(file.name)")
          check(path, original, maximumLost: nil, "\(file.name) cut to \(length)")
        }
        try TestFiles.write(file.bytes, to: "\(path)/\(file.name)")
      }
    }
  }
}
