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
private final class FullDisk: FileSystem {
  private let base = PosixFileSystem()
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

  func open(_ path: String, _ mode: OpenMode) throws(FileSystemError) -> OpenFile { try base.open(path, mode) }
  func close(_ file: OpenFile) { base.close(file) }
  func read(
    _ file: OpenFile, into buffer: UnsafeMutableRawBufferPointer, at offset: UInt64
  ) throws(FileSystemError) -> Int { try base.read(file, into: buffer, at: offset) }
  func size(of file: OpenFile) throws(FileSystemError) -> UInt64 { try base.size(of: file) }
  func setSize(of file: OpenFile, to size: UInt64) throws(FileSystemError) { try base.setSize(of: file, to: size) }
  func sync(_ file: OpenFile) throws(FileSystemError) { try base.sync(file) }
  func syncDirectory(_ path: String) throws(FileSystemError) { try base.syncDirectory(path) }
  func rename(_ path: String, to newPath: String) throws(FileSystemError) { try base.rename(path, to: newPath) }
  func remove(_ path: String) throws(FileSystemError) { try base.remove(path) }
  func createDirectory(_ path: String) throws(FileSystemError) { try base.createDirectory(path) }
  func list(_ path: String) throws(FileSystemError) -> [String] { try base.list(path) }
  func lock(_ file: OpenFile) throws(FileSystemError) -> Bool { try base.lock(file) }
  func identity(of path: String) throws(FileSystemError) -> String { try base.identity(of: path) }
  var monotonicNanoseconds: UInt64 { base.monotonicNanoseconds }
  func pause(nanoseconds: UInt64) {}
  var processIdentifier: Int32 { base.processIdentifier }
}
