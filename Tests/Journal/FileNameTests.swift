import Expectations
import SystemCalls
import Testing

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

@testable import Journal

@Suite("Names of files")
struct FileNameTests {
  @Test("Whatever bytes a name has, its text leads back to them, and is the name itself where that is UTF-8")
  func roundTrip() {
    let names: [[UInt8]] = [
      Array("größe".utf8), [0xFF, 0xFE, 0x2E, 0x73], [0x61, 0xC3], [0xE2, 0x82, 0x61], [0x80],
      Array("a\u{10FFFE}b".utf8),
      [0xF4, 0x8F, 0xBF], Array("🧪".utf8) + [0xF4],
    ]
    for name in names {
      expectEqual(FileName.bytes(FileName.text(name)), name, "\(name)")
    }
    #expect(FileName.text("größe 🧪".utf8) == "größe 🧪" && FileName.text([0x61, 0xFF]) == "a\u{10FFFF}")
    expectEqual(Set(names.map { FileName.text($0) }).count, names.count)
  }

  #if !canImport(Darwin)
    @Test("Salvage opens a file whose name is not UTF-8, and names one that is no file with the reason")
    func salvage() throws {
      let sample = try SampleJournal(count: 7, segmentSize: 1 << 20)
      let bytes = try #require(sample.files["j/00000000000000000001.seg"])
      try withTemporaryDirectory { path in
        let files = PosixFileSystem()
        let name = path + "/" + FileName.text([0xFF, 0xFE, 0x2E, 0x73, 0x65, 0x67])
        let file = try files.open(name, .replace)
        _ = try bytes.withUnsafeBytes { try files.write(file, $0, at: 0) }
        files.close(file)
        defer { try? files.remove(name) }
        try expectEqual(files.list(path).map { FileName.bytes($0) }, [[0xFF, 0xFE, 0x2E, 0x73, 0x65, 0x67]])
        let salvage = try Salvage(of: [path])
        #expect(salvage.journals.map(\.eventCount) == [7] && salvage.obstacles.isEmpty)
        expectEqual(mkfifo(path + "/pipe", 0o600), 0)
        defer { try? files.remove(path + "/pipe") }
        #expect {
          try Salvage(of: [path + "/pipe"]).write(to: path + "/out")
        } throws: {
          "\($0)"
            == "\(path)/pipe: no event that can be read was found, and this file cannot be read: the system refused "
            + "the call (open: it is not a regular file); add other copies of the files"
        }
      }
    }
  #endif
}
