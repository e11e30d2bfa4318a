import AppProtection
import Expectations
import JSON
import Testing

/// One number for the package, its libraries and `pj`, wherever it stands.
@Suite("The version's number")
struct VersionNumberTests {
  private static func text(_ path: String) throws -> String {
    String(decoding: try TestFiles.read("\(Repository.root)/\(path)"), as: UTF8.self)
  }

  @Test("It has three parts, and is that of the newest section of Changes")
  func changes() throws {
    #expect(Version.package.contains(#/^\d+\.\d+\.\d+$/#))
    let changes = try Self.text("Sources/AppProtectionKit/AppProtectionKit.docc/Changes.md")
    let newest = changes.split(separator: "\n").first { $0.contains(#/^## \d/#) }
    expectEqual(newest, "## \(Version.package)")
  }

  @Test("pj says it, to people and in every output for programs")
  func tool() throws {
    #expect(ToolRun("version").output.hasPrefix("pj \(Version.package)\n"))
    let start = try #require(ToolRun("version", "-j").records.first??.object)
    expectEqual(start["tool"]?.string, "pj \(Version.package)")
  }

  @Test("A commit with a tag has the tag of this version")
  func tag() {
    // Where there is no repository, there is no tag.
    let tags = "git -C '\(Repository.root)' tag --points-at HEAD 2>/dev/null"
    #expect(
      TestFiles.shell("\(tags) | grep '^v[0-9]' | grep -vx 'v\(Version.package)'") != 0,
      "another version's tag is on this commit")
  }
}
