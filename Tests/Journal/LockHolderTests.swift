import Expectations
import Testing

@testable import Journal

/// A second opener is told which process has the journal, by the system and not by what a file says.
@Suite("The holder of a lock")
struct LockHolderTests {
  #if !canImport(Darwin)
    @Test("A number that another process left in LOCK is not the one that is told", arguments: ["999999\n", "1\n", ""])
    func staleNumber(text: String) throws {
      try withTemporaryDirectory { path in
        let id = try #require(JournalID(bytes: Array(1...16)))
        try JournalWriter.create(at: path + "/j", id: id, createdNanoseconds: 1).close()
        let files = PosixFileSystem()
        let held = try files.open(path + "/j/LOCK", .replace)
        defer {
          files.close(held)
          for name in (try? files.list(path + "/j")) ?? [] { try? files.remove(path + "/j/" + name) }
          try? files.remove(path + "/j")
        }
        #expect(try files.lock(held))
        _ = try Array(text.utf8).withUnsafeBytes { try files.write(held, $0, at: 0) }
        let error = #expect(throws: JournalError.self) { try JournalWriter.open(at: path + "/j") }
        expectEqual(error?.message, "process \(files.processIdentifier) has the journal open for writing")
      }
    }
  #endif

  @Test("Of the kernel's list the line of this file's exclusive lock counts, or one that confirms what the file says")
  func list() {
    let list = """
      1: POSIX  ADVISORY  WRITE 40 08:01:131 0 EOF
      2: FLOCK  ADVISORY  READ  41 08:01:131 0 EOF
      3: FLOCK  ADVISORY  WRITE 42 08:02:131 0 EOF
      4: FLOCK  ADVISORY  WRITE 43 08:01:132 0 EOF
      4: -> FLOCK  ADVISORY  WRITE 44 08:01:131 0 EOF
      5: FLOCK  ADVISORY  WRITE 45 08:01:131 0 EOF
      """
    func holder(_ list: String, stated: Int32? = nil, minor: UInt64 = 1) -> Int32? {
      OperatingSystem.lockHolder(inode: 131, major: 8, minor: minor, stated: stated, in: list)
    }
    #expect(holder(list) == 45 && holder(list, stated: 42) == 45)
    #expect(holder("5: FLOCK  ADVISORY  WRITE 0 08:01:131 0 EOF") == nil)
    #expect(holder("") == nil && holder("5: FLOCK") == nil)
    // The device is another one than the list has, as on btrfs and overlayfs.
    #expect(holder(list, minor: 3) == nil && holder(list, stated: 42, minor: 3) == 42)
    for other: Int32 in [40, 41, 43, 44, 999] { #expect(holder(list, stated: other, minor: 3) == nil, "\(other)") }
  }
}
