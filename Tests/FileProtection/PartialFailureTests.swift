import Expectations
import Journal
import JournalSimulation
import Testing

@testable import FileProtection

@Suite("A call that fails in the middle")
struct PartialFailureTests {
  private static let chunk = Layout.chunk

  /// A file of three chunks and a bit, whose chunk with this number is damaged, open for writing.
  private static func damaged(_ index: Int) throws -> (test: TestFiles, file: ProtectedFile) {
    let first = TestFiles()
    let file = try first.protector.create(at: "f", TestFiles.alice)
    for number in 0..<4 {
      try file.pwrite(TestFiles.bytes(number < 3 ? chunk : 100, number), at: UInt64(number * chunk))
      try file.sync()
    }
    try file.close()
    var image = first.fileSystem.image
    let bytes = try #require(image.files["f"])
    // The chunk is found by its label: level 0, its number.
    let label = stride(from: 2 * Layout.page, to: bytes.count, by: Layout.page).filter {
      bytes.number(at: $0 + 24, as: UInt64.self) == UInt64(index)
        && bytes.number(at: $0 + 32, as: UInt32.self) == UInt32(index < 3 ? chunk : 100)
    }
    image.files["f"]?[try #require(label.last) + 64] ^= 1
    let test = TestFiles(image, seed: 2, keys: first.keys)
    return (test, try test.protector.open("f", forWriting: true))
  }

  @Test("A write that meets a damaged chunk changes nothing, and what was written before it is kept")
  func write() throws {
    for index in [0, 3] {
      let (test, file) = try Self.damaged(index)
      let kept = index == 0 ? 3 * Self.chunk : 0
      try file.pwrite([9, 9], at: UInt64(kept))
      let from = index == 0 ? 10 : Self.chunk + 10
      let error = #expect(throws: ProtectionError.self) {
        try file.pwrite(TestFiles.bytes(2 * Self.chunk + 50, 7), at: UInt64(from))
      }
      expectEqual(error?.code, .tamperedChunk)
      try file.close()
      let left = try test.protector.open("f")
      try expectEqual(left.size(), UInt64(3 * Self.chunk + 100))
      try expectEqual(left.pread(2, at: UInt64(kept)), [9, 9])
      let middle = try left.pread(Self.chunk, at: UInt64(Self.chunk)) == TestFiles.bytes(Self.chunk, 1)
      #expect(middle)
    }
  }

  @Test("A cut that meets a damaged chunk changes nothing")
  func truncate() throws {
    let (test, file) = try Self.damaged(1)
    let error = #expect(throws: ProtectionError.self) { try file.truncate(to: UInt64(Self.chunk + 5)) }
    expectEqual(error?.code, .tamperedChunk)
    try file.pwrite([9], at: 0)
    try file.close()
    try expectEqual(test.protector.open("f").size(), UInt64(3 * Self.chunk + 100))
  }

  @Test("A write or cut that a call of the system fails is not written by a later sync", arguments: [Int32(5), 28])
  func failedCalls(code: Int32) throws {
    for isCut in [false, true] {
      for call in 1... {
        let test = TestFiles()
        let file = try test.protector.create(at: "f", TestFiles.alice)
        let before = TestFiles.bytes(3 * Self.chunk + 100)
        try file.write(before)
        try file.sync()
        let calls = test.fileSystem.calls.count
        test.fileSystem.setPlan(FaultPlan(at: calls + call, .error(code)))
        var isDone = true
        do throws(ProtectionError) {
          if isCut {
            try file.truncate(to: UInt64(Self.chunk + 5))
          } else {
            try file.pwrite(TestFiles.bytes(2 * Self.chunk + 50, 7), at: UInt64(Self.chunk / 2))
          }
        } catch {
          isDone = false
        }
        if test.fileSystem.calls.count < calls + call { break }
        test.fileSystem.setPlan(nil)
        guard !isDone else { continue }
        try? file.close()
        let left = try test.protector.open("f").read(1 << 20) == before
        #expect(left, "call \(call)")
      }
    }
  }

  @Test("A sync that fails after it is durable is a sync, and the next one makes good what is missing")
  func lateFailure() throws {
    var isLate = false
    for call in 1... {
      let test = TestFiles()
      let file = try test.protector.create(at: "f", TestFiles.alice)
      try file.write([1, 2, 3])
      let calls = test.fileSystem.calls.count
      test.fileSystem.setPlan(FaultPlan(at: calls + call, .error(5)))
      let isDone = (try? file.sync()) != nil
      if test.fileSystem.calls.count < calls + call { break }
      test.fileSystem.setPlan(nil)
      if isDone {
        isLate = true
        try file.write([4])
        try file.close()
      } else {
        try? file.close()
      }
      let left = try test.protector.open("f").read(9)
      // A sync that failed may have happened all the same, but not in part.
      #expect(isDone ? left == [1, 2, 3, 4] : left == [] || left == [1, 2, 3], "call \(call)")
      guard isDone else { continue }
      let headers = try #require(test.fileSystem.image.files["f"])
      expectEqual(headers[..<Layout.page], ArraySlice(headers[Layout.page..<(2 * Layout.page)].map { $0 }))
    }
    #expect(isLate)
  }
}
