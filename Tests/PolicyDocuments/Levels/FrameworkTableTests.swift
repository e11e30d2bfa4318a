import Expectations
import AppProtection
import Testing

@testable import GraphDocuments
@testable import PolicyDocuments

/// The templates of the data protection framework.
enum FrameworkTemplates {
  /// The templates for iOS among the real documents: file, level and date.
  static func all() throws -> [(name: String, level: FrameworkLevel, date: String)] {
    try Samples.names().compactMap { name in
      let parts = name.split(separator: "_")
      guard name.hasPrefix("icf_"), name.contains("-iOS"), parts.count > 3,
        let level = name.firstMatch(of: /level-(\d)/),
        let number = Int(level.1)
      else { return nil }
      return FrameworkLevel(rawValue: number).map { (name, $0, String(parts[1])) }
    }
  }
}

@Suite("The table of the data protection framework")
struct FrameworkTableTests {
  private static func policy(_ name: String) throws -> PolicyDocument {
    try #require(try GraphDocument.read(Samples.bytes(name), file: name).policies.first).policy
  }

  /// The last revision of a day or before it.
  private static func revision(of date: String) throws -> FrameworkRevision {
    try #require(FrameworkRevision.all.last { $0.date <= date })
  }

  @Test("Revisions are in order and have dates of their own; no property is in two rows")
  func order() {
    expectEqual(FrameworkRevision.all, FrameworkRevision.all.sorted())
    expectEqual(Set(FrameworkRevision.all.map(\.date)).count, FrameworkRevision.all.count)
    expectEqual(FrameworkRevision.all.last, .newest)
    let ids = FrameworkRow.ios.map(\.id)
    expectEqual(Set(ids).count, ids.count)
    let properties = FrameworkRow.ios.flatMap(\.properties)
    expectEqual(Set(properties).count, properties.count)
  }

  @Test(
    "Every value is one that its property holds, has words, and begins with a revision",
    arguments: FrameworkRow.ios.map(\.id))
  func values(id: String) throws {
    let row = try #require(FrameworkRow.ios.first { $0.id == id })
    #expect(row.setting != nil)
    for demand in row.demands where !demand.values.isEmpty {
      for property in demand.values { #expect(!property.isUnset(in: demand.policy), "\(property.name)") }
      #expect(row.words(of: demand) != "Not configured")
    }
    for (one, other) in zip(row.demands, row.demands.dropFirst()) {
      #expect(one.level < other.level || (one.level == other.level && one.since < other.since), "\(other.since.date)")
    }
  }

  /// A misspelt date would count as the first.
  @Test("What the table adds later begins where the documents change")
  func dates() {
    let rows = PolicyPlatform.allCases.flatMap(FrameworkRow.all)
    let dates = Set(rows.flatMap(\.demands).map(\.since.date))
    expectEqual(dates, Set(FrameworkRevision.all.map(\.date)))
  }

  @Test("A policy without settings meets what accepts all, and nothing else", arguments: FrameworkRow.ios.map(\.id))
  func empty(id: String) throws {
    let row = try #require(FrameworkRow.ios.first { $0.id == id })
    for level in FrameworkLevel.allCases {
      for revision in FrameworkRevision.all {
        guard let demand = row.demand(of: level, in: revision) else { continue }
        let entries = LevelAssessment(of: PolicyDocument(), against: revision).missing(at: level)
        // Lists of exceptions count only beside their restriction, and some flags and limits are strict when off.
        let isMetWhenEmpty = ["exempt", "saveTo", "openFrom", "clipboardLimit", "devicePIN"].contains(id)
        expectEqual(entries.contains { $0.row.id == id }, !(demand.acceptsAll || isMetWhenEmpty), "\(revision.date)")
      }
    }
  }

  @Test("The table has the values of every template at its date", arguments: try FrameworkTemplates.all().map(\.name))
  func templates(name: String) throws {
    let template = try #require(try FrameworkTemplates.all().first { $0.name == name })
    let policy = try Self.policy(name)
    let revision = try Self.revision(of: template.date)
    for row in FrameworkRow.ios {
      guard let demand = row.demand(of: template.level, in: revision) else { continue }
      for property in demand.values {
        #expect(property.isSame(in: demand.policy, as: policy), "\(row.id): \(property.name)")
      }
    }
  }

  @Test(
    "A template meets its level at its date, but for the dialer to be filled in and the schemes that level 3 kept",
    arguments: try FrameworkTemplates.all().map(\.name))
  func ownLevel(name: String) throws {
    let template = try #require(try FrameworkTemplates.all().first { $0.name == name })
    let assessment = LevelAssessment(of: try Self.policy(name), against: try Self.revision(of: template.date))
    let missing = assessment.missing(at: template.level).map(\.row.id)
    let hasPlaceholder = template.level == .high && template.date >= "2020-09-22"
    expectEqual(missing, hasPlaceholder ? ["dialer"] : [])
  }

  @Test("Today, the last templates lack only what the documentation has changed since")
  func newest() throws {
    let rows: [(name: String, level: FrameworkLevel, missing: [String])] = [
      ("icf_2021-09-30_79fd1a7_level-1-enterprise-basic-data-protection-iOS.json", .basic, []),
      (
        "icf_2020-11-17_44335e0_level-2-enterprise-enhanced-data-protection-iOS.json", .enhanced,
        ["offlineWipe", "minimumOS"]
      ),
      (
        "icf_2021-09-30_a917084_level-3-enterprise-high-data-protection-iOS.json", .high,
        ["exempt", "dialer", "offlineWipe"]
      ),
    ]
    for row in rows {
      let assessment = LevelAssessment(of: try Self.policy(row.name))
      expectEqual(assessment.revision, .newest)
      expectEqual(assessment.missing(at: row.level).map(\.row.id), row.missing, "\(row.name)")
    }
  }
}
