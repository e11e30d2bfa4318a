import Journal
import JournalSimulation
import Testing

@testable import FileProtection

/// After a crash at any instruction, a file is as at one of its syncs: the last one, or the one that was interrupted.
@Suite("A protected file after a crash")
struct CrashTests {
  /// What one sync changed, and which operations of the system it took.
  private struct Sync {
    var first: Int
    var last: Int
    var contents: [UInt8]
  }

  /// Writes as a small app does: a note, changes within and after it, a cut, a gap.
  private static func work(_ test: TestFiles, _ syncs: inout [Sync]) throws {
    var model: [UInt8] = []
    func noting(_ syncs: inout [Sync], _ body: () throws -> Void) rethrows {
      let first = test.fileSystem.position
      // If it throws, it may have happened all the same.
      syncs.append(Sync(first: first, last: .max, contents: model))
      try body()
      syncs[syncs.count - 1].last = test.fileSystem.position
    }
    var file: ProtectedFile?
    try noting(&syncs) { file = try test.protector.create(at: "f", TestFiles.alice) }
    guard let file else { return }
    func write(_ bytes: [UInt8], at place: Int) throws {
      try file.pwrite(bytes, at: UInt64(place))
      if model.count < place + bytes.count { model += [UInt8](repeating: 0, count: place + bytes.count - model.count) }
      model.replaceSubrange(place..<(place + bytes.count), with: bytes)
    }
    try write(TestFiles.bytes(3000), at: 0)
    try noting(&syncs) { try file.sync() }
    try write(TestFiles.bytes(70_000, 1), at: 2000)
    try write(TestFiles.bytes(10, 2), at: 140_000)
    try noting(&syncs) { try file.sync() }
    try write(TestFiles.bytes(500, 3), at: 100)
    try noting(&syncs) { try file.sync() }
    try write(TestFiles.bytes(500, 4), at: 100)
    try file.truncate(to: 66_000)
    model.removeLast(model.count - 66_000)
    try noting(&syncs) { try file.sync() }
    try write(TestFiles.bytes(66_000, 5), at: 0)
    try noting(&syncs) { try file.close() }
  }

  /// The contents that a cut after an operation may leave; `nil` stands for no file.
  private static func allowed(_ syncs: [Sync], _ position: Int) -> [[UInt8]?] {
    var allowed: [[UInt8]?] = [nil]
    for sync in syncs {
      if sync.last <= position { allowed = [] }
      if sync.first <= position { allowed.append(sync.contents) }
    }
    return allowed
  }

  private static func contents(_ test: TestFiles) throws -> [UInt8]? {
    guard test.fileSystem.image.files["f"] != nil else { return nil }
    return try test.protector.open("f").pread(1 << 20, at: 0)
  }

  /// Checks a state, and that work goes on from it.
  private static func check(
    _ state: PowerCuts.State, _ keys: TestKeys, _ allowed: [[UInt8]?], _ seed: UInt64
  ) throws {
    let test = TestFiles(state.image, seed: seed, keys: keys)
    let found = try contents(test)
    let isAllowed = allowed.contains(found)
    #expect(isAllowed, "cut after operation \(state.position), \(state.fates)")
    guard var expected = found else { return }
    let file = try test.protector.open("f", forWriting: true)
    try file.pwrite(TestFiles.bytes(5000, 9), at: 1000)
    try file.close()
    if expected.count < 6000 { expected += [UInt8](repeating: 0, count: 6000 - expected.count) }
    expected.replaceSubrange(1000..<6000, with: TestFiles.bytes(5000, 9))
    let isRight = try contents(test) == expected
    #expect(isRight, "after a cut after operation \(state.position), \(state.fates)")
  }

  @Test("A power cut after any call, with unsynced writes lost, torn or replaced, leaves the last sync or the next one")
  func powerCuts() throws {
    let test = TestFiles()
    var syncs: [Sync] = []
    try Self.work(test, &syncs)
    var count = 0
    try PowerCuts.forEach(of: test.fileSystem.operations, share: 23) { state in
      count += 1
      try Self.check(state, test.keys, Self.allowed(syncs, state.position), UInt64(count))
    }
    #expect(count > 250)
  }

  @Test("A process that dies at any call leaves the same, and a power cut in the next one's work does too")
  func deaths() throws {
    var last = -1
    for call in 1... {
      let test = TestFiles()
      test.fileSystem.setPlan(FaultPlan(at: call, .death))
      var syncs: [Sync] = []
      do {
        try Self.work(test, &syncs)
        if !test.fileSystem.isDead { break }
      } catch is ProtectionError {}
      let death = test.fileSystem.position
      if death == last { continue }
      last = death
      test.fileSystem.revive()
      let found = try Self.contents(test)
      let allowed = Self.allowed(syncs, death)
      let isAllowed = allowed.contains(found)
      #expect(isAllowed, "death at call \(call)")
      // What the next process saw may be lost with what was not durable, but nothing else may be.
      guard found != nil else { continue }
      let next = Protector(
        keys: test.keys, scope: "notes", randomBytes: { [random = SeededBytes(seed: 77)] in random($0) },
        fileSystem: test.fileSystem)
      let file = try next.open("f", forWriting: true)
      try file.pwrite(TestFiles.bytes(80_000, 8), at: 0)
      let first = test.fileSystem.position
      var synced = found ?? []
      if synced.count < 80_000 { synced += [UInt8](repeating: 0, count: 80_000 - synced.count) }
      synced.replaceSubrange(0..<80_000, with: TestFiles.bytes(80_000, 8))
      try file.close()
      let end = test.fileSystem.position
      try PowerCuts.forEach(of: test.fileSystem.operations, from: death, share: 97, randomCount: 4) { state in
        var now = allowed
        if state.position >= first { now.append(synced) }
        if state.position >= end { now = [synced] }
        let left = try Self.contents(TestFiles(state.image, keys: test.keys))
        let isExpected = now.contains(left)
        #expect(
          isExpected,
          "death at call \(call), cut after operation \(state.position), \(state.fates)")
      }
    }
  }

  @Test("A call that fails leaves the last sync or the next one, and the file says that it no longer knows")
  func failures() throws {
    for code in [Int32(5), 28] {
      for call in 1... {
        let test = TestFiles()
        test.fileSystem.setPlan(FaultPlan(at: call, .error(code)))
        var syncs: [Sync] = []
        var failure: ProtectionError?
        do {
          try Self.work(test, &syncs)
        } catch let error as ProtectionError {
          failure = error
        }
        if call > test.fileSystem.calls.count { break }
        let position = test.fileSystem.position
        test.fileSystem.revive()
        let kind = test.fileSystem.calls[call - 1]
        let left = try Self.contents(test)
        let isExpected = Self.allowed(syncs, position).contains(left)
        #expect(
          isExpected, "call \(call), \(kind), error \(code)")
        #expect(failure.map { $0.code == .inputOutput && $0.errorNumber == code } ?? true, "call \(call), \(kind)")
      }
    }
  }
}
