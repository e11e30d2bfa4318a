import Expectations
import EventSourcing
import Foundation
import Testing

@testable import AppProtection
@testable import AppProtectionInsight

@Suite("The page about diagnoses")
struct DiagnosisPageTests {
  /// The page's lines.
  private static func lines() throws -> [Substring] {
    let root = #filePath.split(separator: "/", omittingEmptySubsequences: false).dropLast(4).joined(separator: "/")
    let path = root + "/Sources/AppProtectionInsight/AppProtectionInsight.docc/Diagnosis.md"
    return try String(contentsOfFile: path, encoding: .utf8).split(separator: "\n", omittingEmptySubsequences: false)
  }

  @Test("The page describes every family, in the order of the enumeration, and no other")
  func families() throws {
    let lines = try Self.lines()
    let headings = lines.filter { $0.hasPrefix("### ") }.map { String($0.dropFirst(4)) }
    expectEqual(headings, Self.written.map(\.id))
    for family in Self.written {
      let section = lines.drop { $0 != "### \(family.id)" }.dropFirst().prefix { !$0.hasPrefix("#") }
      for part in ["Looks like", "Decides", "Next", "Source"] {
        #expect(section.contains { $0.hasPrefix("- **\(part):** ") }, "\(family.id) lacks \(part)")
      }
      expectEqual(family.page, "Diagnosis#\(family.id)")
    }
  }

  @Test("The page's table says which family explains which")
  func table() throws {
    let rows = try Self.lines().drop { !$0.hasPrefix("| this explains") }.filter { $0.hasPrefix("| `") }
    let expected = ProblemFamily.allCases.filter { !$0.explains.isEmpty }.map { family in
      let explained = ProblemFamily.allCases.filter(family.explains.contains)
      return "| `\(family.id)` | \(explained.map { "`\($0.id)`" }.joined(separator: ", ")) |"
    }
    expectEqual(rows.map { String($0) }, expected)
  }

  @Test("No family explains itself, directly or through others")
  func circles() {
    for family in ProblemFamily.allCases {
      var reached = family.explains
      while true {
        let next = reached.union(reached.flatMap(\.explains))
        if next == reached { break }
        reached = next
      }
      #expect(!reached.contains(family), "\(family.id)")
    }
  }

  /// Families that a rule looks for, or that hold for any domain.
  private static let written = ProblemFamily.allCases.filter { family in
    family == .damagedJournal || family == .clockSetBack || family.rule() != nil
  }
}
