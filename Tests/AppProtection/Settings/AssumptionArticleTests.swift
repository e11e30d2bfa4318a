import Expectations
import EventSourcing
import Testing

@testable import AppProtection

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// The article "Assumptions" ends with a table that comes from the type. `UPDATE_GOLDEN=1 swift test --filter
/// AssumptionArticleTests` writes it anew; the difference is to be reviewed like code.
@Suite("The article about assumptions")
struct AssumptionArticleTests {
  private static let module: String = {
    let parts = #filePath.split(separator: "/", omittingEmptySubsequences: false).dropLast(4)
    return parts.joined(separator: "/") + "/Sources/AppProtection"
  }()
  static let folder = module + "/AppProtection.docc"

  /// Why a choice's default is what it is, and what leaves it open, as the comment above it says.
  private struct Reason {
    let choice: String
    let text: String
    let source: String
  }

  /// The reasons, in the order of the choices.
  private static func reasons() throws -> [Reason] {
    var (reasons, comment): ([Reason], String) = ([], "")
    for line in try read(module + "/Settings/Assumptions.swift").split(separator: "\n").map({ $0.drop { $0 == " " } }) {
      if line.hasPrefix("///") { comment += line.dropFirst(3) }
      guard let choice = line.split(separator: " ").dropFirst(2).first, line.hasPrefix("public var ") else { continue }
      defer { comment = "" }
      // "Default yes: because. Left open by: source."
      let parts = comment.split(separator: " Default ", maxSplits: 1).last?.split(separator: " Left open by: ")
      guard let parts, parts.count == 2, let start = parts[0].firstIndex(where: { $0 == " " }) else {
        Issue.record("the comment of \(choice) names no default with its reason, or not what leaves it open")
        continue
      }
      let text = parts[0][start...].dropFirst()
      reasons.append(
        Reason(
          choice: String(choice), text: text.prefix(1).uppercased() + text.dropFirst(),
          source: String(parts[1].dropLast())))
    }
    let order = Assumptions.descriptor.fields.map(\.name)
    expectEqual(reasons.map(\.choice).sorted(), order.sorted())
    return order.compactMap { name in reasons.first { $0.choice == name } }
  }

  private static let mark = "with UPDATE_GOLDEN=1. -->\n"

  private static func table() throws -> String {
    var text = "\n| choice | default | absent | what else | what it decides | why | where |\n"
    text += "|---|---|---|---|---|---|---|\n"
    for (field, reason) in zip(Assumptions.descriptor.fields, try reasons()) {
      let standard = standard(of: field.name)
      let others = values(of: field.type).filter { $0 != standard }.map { "`\($0)`" }.joined(separator: ", ")
      let meaning = field.meaning.split(separator: "; absent:").first.map(String.init) ?? ""
      text +=
        "| `\(field.name)` | `\(standard)` | `\(Self.standard(of: field.name, in: .blank))` | "
        + "\(others.isEmpty ? "any code" : others) | \(meaning) | \(reason.text)"
      text += " | \(reason.source) |\n"
    }
    return text
  }

  private static func standard(of name: String, in assumptions: Assumptions = Assumptions()) -> String {
    guard case .value(let value)? = assumptions.tree()[path: "/\(name)"] else { return "" }
    return switch value {
    case .bool(let flag): "\(flag)"
    case .integer(let number): "\(number)"
    case .name(let name): name
    default: ""
    }
  }

  private static func values(of type: FieldType) -> [String] {
    guard case .enumeration(let choices) = type else { return ["true", "false"] }
    return choices.name == EnrollmentStatusCode.schemaName ? [] : choices.members.map(\.name)
  }

  @Test("Every choice has a reason, a source and a default that is shown")
  func choices() throws {
    let names = Assumptions.descriptor.fields.map(\.name)
    let reasons = try Self.reasons()
    for reason in reasons {
      #expect(reason.text.hasSuffix(".") && reason.text.count > 10 && !reason.source.isEmpty, "\(reason.choice)")
      #expect(!Self.standard(of: reason.choice).isEmpty, "\(reason.choice) is not in the tree")
    }
    guard case .members(let members) = Assumptions().tree() else { return }
    expectEqual(members.map(\.name), names)
  }

  @Test("The article lists the choices")
  func article() throws {
    let path = Self.folder + "/NamedAssumptions.md"
    let table = try Self.table()
    let parts = try Self.read(path).split(separator: Self.mark, maxSplits: 1, omittingEmptySubsequences: false)
    try #require(parts.count == 2, "the mark is missing: \(Self.mark)")
    if getenv("UPDATE_GOLDEN").map({ String(cString: $0) }) == "1" {
      let file = try #require(fopen(path, "w"))
      defer { fclose(file) }
      let bytes = Array((parts[0] + Self.mark + table).utf8)
      try #require(fwrite(bytes, 1, bytes.count, file) == bytes.count)
      return
    }
    #expect(parts[1] == table)
  }

  @Test("The journal records the choices that were in force")
  func recorded() throws {
    var app = try TestApp { $0.assumptions.namesakeRule = .askWhichToKeep }
    expectEqual(app.state.tree()[path: "/settings/assumptions/namesakeRule"], .value(.name("askWhichToKeep")))
    try app.run(.changeSettings(AppSettings()))
    expectEqual(app.state.tree()[path: "/settings/assumptions/namesakeRule"], .value(.name("leadToReset")))
    let recorded = app.history.compactMap { event, _ in
      if case .settingsChanged(let change) = event { change.settings.assumptions.namesakeRule } else { nil }
    }
    expectEqual(recorded, [.askWhichToKeep, .leadToReset])
  }

  @Test("The articles of the state machine name every transition, every code and every contradiction")
  func coverage() throws {
    let accounts = try Self.read(Self.folder + "/AccountsAndEnrollment.md")
    for number in 1...39 { #expect(accounts.contains("| T\(number) |"), "T\(number)") }
    for entry in EnrollmentStatusCode.table { #expect(accounts.contains("\(entry.code.rawValue)"), "\(entry.name)") }
    for profile in RetryProfile.allCases { #expect(accounts.contains("`\(profile.name)`")) }
    let contradictions = try Self.read(Self.folder + "/Contradictions.md")
    for number in 1...16 { #expect(contradictions.contains("| \(number) |"), "contradiction \(number)") }
  }

  private static func read(_ path: String) throws -> String {
    let file = try #require(fopen(path, "rb"), "there is no \(path)")
    defer { fclose(file) }
    var bytes: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: 65536)
    while case let count = fread(&chunk, 1, chunk.count, file), count > 0 { bytes += chunk[..<count] }
    return String(decoding: bytes, as: UTF8.self)
  }
}
