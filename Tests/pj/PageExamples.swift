import Expectations
import Testing

@testable import CommandSupport

/// The command lines in a page, and what they print. `UPDATE_GOLDEN=1` writes their outputs anew.
enum PageExamples {
  /// Expects that each line `$ pj …` of a page is followed by what the command prints today, up to the end of its block.
  ///
  /// - Parameter output: Runs a command.
  static func expectCurrent(at path: String, output: ([String]) -> String) throws {
    try expectCurrent(at: path) { program, words in program == "pj" ? output(words) : nil }
  }

  /// The same for several programs.
  ///
  /// - Parameter output: Runs a command of a program; `nil` for a program whose output is not looked at here.
  static func expectCurrent(at path: String, output: (String, [String]) -> String?) throws {
    let text = String(decoding: try TestFiles.read(path), as: UTF8.self)
    let (today, count) = printed(text, output)
    #expect(count > 0)
    if Platform.variable("UPDATE_GOLDEN") == "1" {
      try TestFiles.write(Array(today.utf8), to: path)
      return
    }
    expectEqual(today, text, "if that is meant, write it anew with UPDATE_GOLDEN=1")
  }

  /// The words after a program's name in each line `$ program …` of a page.
  static func commands(of program: String, at path: String) throws -> [[String]] {
    String(decoding: try TestFiles.read(path), as: UTF8.self).split(separator: "\n")
      .filter { $0.hasPrefix("$ \(program) ") }.map { words($0.dropFirst("$ \(program) ".count)) }
  }

  /// The page as it would be today, and the number of its examples.
  private static func printed(
    _ text: String, _ output: (String, [String]) -> String?
  ) -> (text: String, count: Int) {
    var lines: [String] = []
    var isOutput = false
    var count = 0
    for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
      // An output ends where its block does, or where the next command begins.
      if line.hasPrefix("```") || line.hasPrefix("$ ") { isOutput = false }
      if !isOutput { lines.append(String(line)) }
      guard line.hasPrefix("$ ") else { continue }
      var words = words(line.dropFirst(2))
      let most = lineLimit(&words)
      guard let printed = output(words[0], Array(words.dropFirst())) else { continue }
      isOutput = true
      count += 1
      lines += printed.split(separator: "\n", omittingEmptySubsequences: false).dropLast().prefix(most).map(String.init)
    }
    return (lines.joined(separator: "\n"), count)
  }

  /// Removes `| head -N` from the end of a command; returns N.
  private static func lineLimit(_ words: inout [String]) -> Int {
    guard words.count > 3, words[words.count - 3] == "|", words[words.count - 2] == "head",
      let most = words.last.flatMap({ Int($0.dropFirst()) })
    else { return .max }
    words.removeLast(3)
    return most
  }

  /// The words of a command line, as a shell splits them: single quotes join what is between them.
  private static func words(_ line: Substring) -> [String] {
    line.split(separator: "'", omittingEmptySubsequences: false).enumerated().reduce(into: [""]) { words, part in
      guard part.offset.isMultiple(of: 2) else {
        words[words.count - 1] += part.element
        return
      }
      for (index, word) in part.element.split(separator: " ", omittingEmptySubsequences: false).enumerated() {
        if index > 0 { words.append("") }
        words[words.count - 1] += word
      }
    }
  }
}
