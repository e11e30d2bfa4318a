import Expectations
import Testing

/// The second reader, written from the page on exports, agrees with pj.
@Suite("The independent reader of exports")
struct IndependentExportTests {
  @Test(
    "It prints of an export what pj prints of it", arguments: ["first-enrollment", "framework-history"],
    [[], ["--reveal"]])
  func agrees(name: String, options: [String]) throws {
    try TestFiles.withTemporaryFolder { folder in
      let file = "\(folder)/a.pjx"
      expectEqual(ToolRun(["export", Repository.journal(name), "-o", file] + options).code, .done)
      let suite = IndependentReaderTests()
      let tool = try suite.tool(file)
      #expect(!tool.events.isEmpty)
      try expectEqual(suite.reader(file, options: "--export").differences(from: tool), [])
    }
  }

  @Test("It prints of another domain's export what pj prints, and ends with 3 where the file is cut or changed")
  func others() throws {
    try OtherDomainTests.withBank { path in
      let file = path + ".pjx"
      expectEqual(ToolRun("export", path, "-o", file).code, .done)
      let suite = IndependentReaderTests()
      try expectEqual(suite.reader(file, options: "--export").differences(from: suite.tool(file)), [])
      let bytes = try TestFiles.read(file)
      try TestFiles.write(Array(bytes.dropLast(20)), to: file)
      try expectEqual(suite.reader(file, options: "--export").code, 3)
      try TestFiles.write(Array(bytes.prefix(30)), to: file)
      try expectEqual(suite.reader(file, options: "--export").code, 3)
    }
  }
}
