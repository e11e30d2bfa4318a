import Expectations
import Testing

/// The page that takes a case from the received file to its cause.
@Suite("The tour from a complaint to its cause")
struct TourTests {
  private static let page = "\(Repository.root)/Sources/pj/pj.docc/Tour.md"
  private static let received = "field.pjx"

  /// Runs what the page says about the making of the file, in a folder of its own.
  private static func withCase(_ body: (_ folder: String) throws -> Void) throws {
    try TestFiles.withTemporaryFolder { folder in
      let text = String(decoding: try TestFiles.read(page), as: UTF8.self)
      let name = try #require(text.split(separator: "'").first { $0.hasSuffix(".json") })
      try #require(ToolRun("simulate", "\(Repository.root)/\(name)", "-o", "\(folder)/case").code == .done)
      try #require(ToolRun("export", "\(folder)/case", "-o", "\(folder)/\(received)").code == .done)
      try #require(TestFiles.shell("cd \(folder) && python3 -m zipfile -c field.zip case") == 0)
      try body(folder)
    }
  }

  /// What a command prints of a file in the folder, under the name that stands in the page. With that, commands that it names
  /// need one line.
  private static func output(_ words: [String], in folder: String, opening file: String) -> String {
    let printed = ToolRun(words.map { $0 == received ? "\(folder)/\(file)" : $0 }).output
      .replacing("\(folder)/\(file)", with: received)
    return printed.split(separator: "\n", omittingEmptySubsequences: false).reduce(into: "") { text, line in
      let isContinued = text.hasSuffix(" \\")
      if isContinued { text.removeLast() }
      text += isContinued ? line.drop { $0 == " " } : (text.isEmpty ? "" : "\n") + line
    }
  }

  @Test("Each command prints what the page says", arguments: ["field.pjx", "field.zip"])
  func commands(file: String) throws {
    try Self.withCase { folder in
      try PageExamples.expectCurrent(at: Self.page) { Self.output($0, in: folder, opening: file) }
    }
  }

  @Test("Three commands lead from the received file to the cause, which is the event that the case is about")
  func three() throws {
    let text = String(decoding: try TestFiles.read(Self.page), as: UTF8.self)
    let lines = text.split(separator: "\n")
    let commands = lines.filter { $0.hasPrefix("$ pj ") && $0.contains(Self.received) }
    expectEqual(commands.map { $0.split(separator: " ")[2] }, ["diagnose", "explain", "whatif"])
    let decides = try #require(lines.firstIndex { $0.hasSuffix("← decides") })
    // What brought it about comes next. Its line may be folded.
    let evidence = try #require(lines[(decides + 1)...].first { $0.contains(#/^  [0-9]+  /#) })
    let sequence = try #require(evidence.split(separator: " ").first)
    try Self.withCase { folder in
      let event = ToolRun("show", "\(folder)/\(Self.received)", "policy.received#2").output
      #expect(event.contains("event \(sequence)  policy.received"))
    }
  }
}
