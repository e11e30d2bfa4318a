import Testing

@testable import pj

/// What the tool says of journals that a later version of the format wrote.
@Suite("Versions and features")
struct FeatureFlagTests {
  private static let headers = [("JOURNAL", 96), ("00000000000000000001.seg", 128)]
  private static let commands = [
    ["log"], ["state"], ["verify"], ["check"], ["stats"], ["state", "-j"], ["verify", "-j"],
  ]

  /// A golden journal with a bit set in one header, and the right checksum.
  private func withFlag<Result>(
    _ header: (name: String, size: Int), at offset: Int, _ bit: Int, _ body: (String) throws -> Result
  ) throws -> Result {
    try TestFiles.withTemporaryFolder { folder in
      let path = "\(folder)/later"
      try TestFiles.copy(Repository.journal("first-enrollment"), to: path)
      var bytes = try TestFiles.read("\(path)/\(header.name)")
      bytes[offset + bit / 8] |= 1 << UInt8(bit % 8)
      bytes.replaceSubrange(..<header.size, with: FixedRecordSeal.sealed(Array(bytes[..<header.size])))
      try TestFiles.write(bytes, to: "\(path)/\(header.name)")
      return try body(path)
    }
  }

  @Test("A journal with a compatible feature that is not known is read as any other", arguments: headers)
  func compatible(name: String, size: Int) throws {
    try withFlag((name, size), at: 16, 14) { path in
      for words in Self.commands {
        let run = ToolRun([words[0], path] + words.dropFirst())
        let plain = ToolRun([words[0], Repository.journal("first-enrollment")] + words.dropFirst())
        #expect(run.code == .done, "\(words): \(run.notes)")
        let output = run.output.replacing(path, with: Repository.journal("first-enrollment"))
        #expect(output == plain.output, "\(words)")
      }
    }
  }

  @Test("One with an incompatible feature that is not known is refused by name, with code 5", arguments: headers)
  func incompatible(name: String, size: Int) throws {
    try withFlag((name, size), at: 20, 4) { path in
      for words in Self.commands + [["show", "1"], ["diff", "1", "2"], ["compare", path]] {
        let run = ToolRun([words[0], path] + words.dropFirst())
        #expect(run.code == .needsNewerTool, "\(words)")
        #expect(
          (run.notes + run.output).contains("the journal needs the feature of bit 4, which this program does not know"),
          "\(words): \(run.notes)")
        #expect(run.notes.contains(name), "\(words): \(run.notes)")
      }
    }
  }
}
