import AppProtectionInsight
import EventSourcing
import Expectations
import Testing

/// `Golden/sentences.txt` has a line for each of some fixtures: the file, how bad the first finding is, whether it holds at the
/// end, and what it says.
@Suite("What findings say")
struct FindingSentenceTests {
  static let lines: [String] = {
    let folder = #filePath.split(separator: "/", omittingEmptySubsequences: false).dropLast().joined(separator: "/")
    let text = String(decoding: Files.bytes(of: "\(folder)/Golden/sentences.txt"), as: UTF8.self)
    return text.split(separator: "\n").map { String($0) }
  }()

  @Test("The first finding of a fixture says what happened, with the events and the values", arguments: lines)
  func sentence(_ line: String) throws {
    let fixture = String(line.prefix { $0 != "\t" })
    let first = try #require(try DiagnosisTests.findings(of: fixture).first?.diagnosis)
    let state = first.ending.map { "over, \($0.kind.rawValue)" } ?? "now"
    expectEqual("\(fixture)\t\(first.severity.name)\t\(state)\t\(first.sentence)", line)
  }
}
