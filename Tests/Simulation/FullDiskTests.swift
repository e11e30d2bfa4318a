import Journal
import Synchronization
import Testing

@testable import Simulation

@Suite("A scenario on a full disk")
struct FullDiskTests {
  @Test("Wherever the disk fills up, the target is named with what to do, and nothing is left of it")
  func target() throws {
    let folder = try TemporaryFolder()
    let scenario = try Scenario(
      Array(Run.text(#"{"launch": {}}, {"registerAndEnroll": "alice"}, {"wait": "PT40M"}, {"exit": {}}"#).utf8),
      file: "s.json")
    var refused = 0
    for writes in 0..<40 {
      let path = "\(folder.path)/\(writes)"
      do throws(ScenarioError) {
        _ = try ScenarioRunner.run(scenario, into: path, on: FullDisk(after: writes))
        break
      } catch {
        refused += 1
        #expect(error.code == .journal && error.file == path, "\(error)")
        #expect("\(error)".contains("no space left") && "\(error)".contains("free some space"), "\(error)")
      }
    }
    #expect((5..<40).contains(refused))
  }
}

/// The system's files, on a device that has room for so many writes.
private final class FullDisk: ForwardingFileSystem {
  let base: any FileSystem = PosixFileSystem()
  private let left: Mutex<Int>

  init(after writes: Int) {
    left = Mutex(writes)
  }

  func write(_ file: OpenFile, _ bytes: UnsafeRawBufferPointer, at offset: UInt64) throws(FileSystemError) -> Int {
    let hasRoom = left.withLock { left in
      left -= 1
      return left >= 0
    }
    // ENOSPC
    guard hasRoom else { throw FileSystemError(28, during: "write") }
    return try base.write(file, bytes, at: offset)
  }

  func pause(nanoseconds: UInt64) {}
}
