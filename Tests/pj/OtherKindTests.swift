import Testing

@testable import pj

/// Folders and pipes where files are wanted. What cannot be read is no reason to wait.
@Suite("What is no regular file")
struct OtherKindTests {
  @Test(
    "Under the name of a file that no event needs it costs nothing but a finding",
    arguments: ["00000000000000000021.ckpt", "KEPT", "KEYFRAMES"], TestFiles.Kind.allCases)
  func spareFiles(name: String, kind: TestFiles.Kind) throws {
    let original = Repository.journal("interrupted-wipe")
    try TestFiles.withTemporaryFolder { folder in
      let path = "\(folder)/copy.pj"
      try TestFiles.copy(original, to: path)
      try TestFiles.create(kind, "\(path)/\(name)")
      let isCache = name == "KEYFRAMES"
      let verify = ToolRun("verify", path)
      #expect(verify.code == (isCache ? .done : .different))
      #expect(verify.output.contains("damaged  \(name)") == !isCache)
      #expect(isCache || verify.lines.last?.hasPrefix("No event is lost.") == true)
      for command in ["log", "stats", "state", "check"] {
        let run = ToolRun(command, path)
        #expect(run.code == (isCache ? .done : .partial), "\(command): \(run.notes)")
      }
      #expect(ToolRun("state", path).output == ToolRun("state", original).output)
    }
  }

  @Test("A document is read from a regular file, and nothing else is waited for", arguments: TestFiles.Kind.allCases)
  func documents(kind: TestFiles.Kind) throws {
    try TestFiles.withTemporaryFolder { folder in
      let path = "\(folder)/document"
      try TestFiles.create(kind, path)
      for words in [
        ["policy", "diff", path, path], ["settings", "lint", path], ["simulate", path, "-o", "\(folder)/out"],
      ] {
        let run = ToolRun(words)
        #expect(run.code == .unreadable, "\(words)")
        #expect(run.notes.contains("\(path)") && run.notes.contains("it is no regular file"), "\(run.notes)")
      }
    }
  }
}
