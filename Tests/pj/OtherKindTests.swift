import Expectations
import Testing

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
      expectEqual(verify.code, isCache ? .done : .different)
      expectEqual(verify.output.contains("damaged  \(name)"), !isCache)
      #expect(isCache || verify.lines.last?.hasPrefix("No event is lost.") == true)
      for command in ["log", "stats", "state", "check"] {
        let run = ToolRun(command, path)
        expectEqual(run.code, isCache ? .done : .partial, "\(command): \(run.notes)")
      }
      expectEqual(ToolRun("state", path).output, ToolRun("state", original).output)
    }
  }

  @Test(
    "Under a segment's name it is left out: not one event is lost by it, and what its name proves stays",
    arguments: TestFiles.Kind.allCases)
  func segments(kind: TestFiles.Kind) throws {
    let original = Repository.journal("interrupted-wipe")
    let what = kind == .folder ? "it is a directory" : "it is not a regular file"
    try TestFiles.withTemporaryFolder { folder in
      for (number, claim) in [("12", nil), ("23", nil), ("30", "events 23–29")] as [(String, String?)] {
        let path = "\(folder)/\(number).pj"
        try TestFiles.copy(original, to: path)
        let name = String(repeating: "0", count: 18) + number + ".seg"
        try TestFiles.create(kind, "\(path)/\(name)")
        let verify = ToolRun("verify", path)
        #expect(verify.code == .different && verify.notes == "", "\(verify.notes)")
        #expect(
          verify.lines.contains { $0.hasPrefix("damaged ") && $0.contains("\(name)  byte 0: \(what), and is") },
          "\(verify.output)")
        let lines = ToolRun("verify", path, "-j").lines
        expectEqual(lines.last?.contains("\"events\":22,\"lost\":\(claim == nil ? 0 : 7)"), true, "\(lines.last ?? "")")
        for command in ["log", "stats", "check", "state"] {
          let run = ToolRun(command, path)
          expectEqual(run.code, .partial, "\(command): \(run.notes)")
        }
        #expect(ToolRun("log", path).output.contains(name))
        if claim == nil { expectEqual(ToolRun("state", path).output, ToolRun("state", original).output) }
        let compare = ToolRun("compare", path, original)
        #expect(compare.code != .unreadable, "\(compare.notes)")
      }
    }
  }

  @Test("In the place of a segment it costs the events of that segment", arguments: TestFiles.Kind.allCases)
  func missingSegment(kind: TestFiles.Kind) throws {
    try TestFiles.withTemporaryFolder { folder in
      for (name, lost) in [("00000000000000000076.seg", 113), ("00000000000000000001.seg", 75)] {
        let path = "\(folder)/\(lost).pj"
        try TestFiles.copy(Repository.journal("framework-history"), to: path)
        try TestFiles.removeFile("\(path)/\(name)")
        try TestFiles.create(kind, "\(path)/\(name)")
        let last = ToolRun("verify", path, "-j").lines.last ?? ""
        #expect(last.contains("\"events\":\(378 - lost),\"lost\":\(lost),"), "\(last)")
        expectEqual(ToolRun("log", path).code, .partial)
      }
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
        expectEqual(run.code, .unreadable, "\(words)")
        let reason =
          switch kind {
          // An export can be compared as a whole.
          case .folder where words[0] == "policy": "the folder holds no document. Next: ls "
          case .folder: "this is a folder; a file is needed. Next: ls "
          default: "this is not a regular file; "
          }
        #expect(run.notes.contains("\(path): \(reason)"), "\(run.notes)")
      }
    }
  }
}
