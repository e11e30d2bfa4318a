import Expectations
import Foundation
import Testing

/// Readers meet the pages first: the README is short, and the English is such that a technical writer finds nothing to edit.
@Suite("The pages")
struct PageProseTests {
  /// Words that say less than others, what says it better, and where they are right nevertheless. Case does not matter.
  private static let avoided: [(pattern: String, instead: String, allowed: Set<String>)] = [
    (#"anew"#, "again", []),
    (#"whoever|(?:no|some|any)body"#, "the reader, the caller, the app, the user", []),
    (#"parted"#, "separated", []),
    (#"told of|tells? of"#, "notified of, reports", []),
    (#"(?:is|are|was|were) told"#, "is notified, receives", []),
    (
      #"(?:is|are|was|were) no"#, "is not a",
      ["is no longer", "are no longer", "was no longer", "were no longer", "is no policy"]
    ),
    (#"goes? on behind|comes? behind|the (?:account|header|event|wipe) behind"#, "after", []),
  ]

  @Test("No page has a word for which there is a better one")
  func words() throws {
    let paths = try [".github", "Sources", "Tests", "journals"].reduce(into: ["README.md", "tools/bench/README.md"]) {
      paths, folder in
      let below = try FileManager.default.subpathsOfDirectory(atPath: SwiftSource.root.appending(path: folder).path)
      paths += below.filter { $0.hasSuffix(".md") }.map { "\(folder)/\($0)" }
    }
    #expect(paths.count > 60)
    for path in paths.sorted() {
      let text = try String(contentsOf: SwiftSource.root.appending(path: path), encoding: .utf8)
      for found in try Self.avoided(in: text) { Issue.record("\(path): \(found)") }
    }
  }

  /// The avoided words of a page, each with what stands around it.
  private static func avoided(in text: String) throws -> [String] {
    let prose = prose(of: text)
    return try avoided.flatMap { pattern, instead, allowed in
      // With the word that follows, by which exceptions are recognised.
      try prose.matches(of: Regex(#"\b(?:\#(pattern))\b(?: \w+)?"#).ignoresCase()).compactMap { match in
        let found = prose[match.range]
        guard !allowed.contains(where: { found.lowercased().hasPrefix($0) }) else { return nil }
        let start = prose.index(found.startIndex, offsetBy: -60, limitedBy: prose.startIndex) ?? prose.startIndex
        return "“\(prose[start..<found.endIndex])”: write \(instead)"
      }
    }
  }

  /// The sentences of a page: without code, names of tests and other quotations, and the tables that tests write from sentences
  /// in Sources.
  private static func prose(of text: String) -> String {
    let written = text.components(separatedBy: "with UPDATE_GOLDEN=1. -->")[0]
    let sentences = written.replacing(/(?m)^```[\s\S]*?^```$/, with: "")
    // A row of a table is a paragraph of its own.
    return sentences.replacing(/\n(?=\|)/, with: "\n\n").components(separatedBy: "\n\n").map { paragraph in
      paragraph.replacing(/`[^`]*`/, with: "").replacing(/"[^"]*"|“[^”]*”/, with: "")
        .split { $0 == " " || $0 == "\n" }.joined(separator: " ")
    }.joined(separator: "\n")
  }

  @Test(
    "A word is found across lines, and not in code or a quotation",
    arguments: [
      ("It is\nno loss.", 1), ("It is no longer here.", 0), ("```\nanew\n```\n`anew` and \"begins anew\"", 0),
      ("| a \" | begins anew |\n| b \" |", 1), ("Whoever reads, and nobody else", 2),
      ("Why is no policy applied?", 0),
    ])
  func reading(text: String, count: Int) throws {
    try expectEqual(Self.avoided(in: text).count, count)
  }

  @Test("The README has at most 240 lines, and at most fourteen for each kind of reader, besides what commands print")
  func readme() throws {
    let text = try String(contentsOf: SwiftSource.root.appending(path: "README.md"), encoding: .utf8)
    #expect(text.split(separator: "\n", omittingEmptySubsequences: false).count <= 241)
    let doors = text.components(separatedBy: "\n## ").filter { $0.hasPrefix("For ") }
    expectEqual(doors.count, 4)
    for door in doors {
      let lines = door.replacing(/(?m)^```[\s\S]*?^```$/, with: "").split(separator: "\n").dropFirst()
      #expect(lines.count <= 14, "\(door.prefix { $0 != "\n" }): \(lines.count) lines")
    }
  }
}
