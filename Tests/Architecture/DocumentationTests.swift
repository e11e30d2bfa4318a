import Expectations
import Testing

/// The linter's own rule asks for the same comment wherever a type fulfils a protocol; DocC shows the protocol's there.
@Suite("Documentation comments")
struct DocumentationTests {
  @Test("Every public declaration has one, or is what a protocol of this package asks for and documents")
  func declarations() throws {
    let sources = try SwiftSource.all(below: "Sources")
    var requirements: Set<String> = []
    for source in sources { requirements.formUnion(Self.requirements(in: source.lines)) }
    var undocumented: [String] = []
    for source in sources {
      for name in Self.undocumented(in: source.lines) where !requirements.contains(name) {
        undocumented.append("\(source.path): \(name)")
      }
    }
    expectEqual(undocumented, [])
  }

  @Test("A comment counts before attributes, and a requirement only where its protocol documents it")
  func reading() {
    let lines = [
      "public protocol Shape {", "  /// Its area.", "  var area: Int { get }", "  var side: Int { get }", "}",
      "/// A square.", "public struct Square: Shape {", "  @inlinable public var area: Int { 1 }", "  /// Its side.",
      "  @inlinable", "  public var side: Int", "  public init() {}", "}",
    ]
    expectEqual(Self.requirements(in: lines), ["area"])
    expectEqual(Self.undocumented(in: lines), ["Shape", "area", "init"])
  }

  /// The documented members of a source's protocols.
  private static func requirements(in lines: [String]) -> [String] {
    let requirement = /^(?:static |mutating )*(?:func|var|associatedtype) `?(\w+)/
    var isProtocol = false
    return lines.indices.compactMap { index in
      if !lines[index].hasPrefix(" "), lines[index].contains(/^[a-z ]*protocol \w/) { isProtocol = true }
      if lines[index].hasPrefix("}") { isProtocol = false }
      guard isProtocol, isDocumented(lines, index) else { return nil }
      return lines[index].trimmed.firstMatch(of: requirement).map { String($0.1) }
    }
  }

  /// The names of a source's public declarations without a comment.
  private static func undocumented(in lines: [String]) -> [String] {
    let declaration =
      /^(?:@\w+ )*(?:public|open) (?:[\w()]+ )*?(func|var|let|init|subscript|struct|enum|class|actor|protocol|typealias)\b *`?(\w*)/
    return lines.indices.compactMap { index in
      guard lines[index].contains("public "), let match = lines[index].trimmed.firstMatch(of: declaration),
        !isDocumented(lines, index)
      else { return nil }
      return String(match.2.isEmpty ? match.1 : match.2)
    }
  }

  private static func isDocumented(_ lines: [String], _ index: Int) -> Bool {
    let before = lines[..<index].last { !$0.trimmed.hasPrefix("@") || $0.contains(" func ") || $0.contains(" var ") }
    return before?.trimmed.hasPrefix("///") == true
  }
}

extension String {
  fileprivate var trimmed: Substring { self[...].drop { $0 == " " } }
}
