import Expectations
import AppProtection
import Foundation
import PolicyServices
import ServiceTesting
import Testing

@Suite("The pages on services")
struct ServicePageTests {
  private static func page(_ name: String) throws -> String {
    let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent()
    let page = root.appending(path: "Sources/PolicyServices/PolicyServices.docc/\(name).md")
    return try String(contentsOf: page, encoding: .utf8)
  }

  @Test("The folder in the page works")
  func folder() async throws {
    let folder = try TestFolder()
    try folder.remove("policies/basic.json")
    var names: [String] = []
    let lines = try Self.page("ServiceFolders").components(separatedBy: "\n")
    for start in lines.indices where lines[start] == "```json" {
      let end = try #require(lines[start...].firstIndex(of: "```"))
      // The file's name, and an empty line.
      let name = lines[start - 2].trimmingCharacters(in: ["`", ":"])
      names.append(name)
      try folder.write(name, lines[(start + 1)..<end].joined(separator: "\n"))
    }
    expectEqual(
      Set(names),
      [
        "users.json", "assignments.json", "wipes.json", "faults.json", "policies/level-1.json", "policies/level-2.json",
        "configurations/start.json",
      ])
    let read = try ServiceFolder.read(at: folder.path)
    expectEqual(read.mistakes, [])
    expectEqual(read.users.count, 2)
    expectEqual(read.faults.count, 3)
    guard case .policy(let policy, _) = await folder.service().checkIn(.alice) else { throw Failure() }
    expectEqual(policy.access.minimumPinLength, 6)
    await expectEqual(folder.service().enroll(.bob).code, 225)
    let deliveries = await folder.service().deliveries(.alice)
    expectEqual(deliveries.user, .init(clockStatus: .clockedIn))
    expectEqual(deliveries.configuration?.first?["start"]?.text, "https://intranet.contoso.com/{{userid}}")
  }

  @Test("The page lists every fault, and no other")
  func faults() throws {
    let rows = try Self.page("ServiceFolders").components(separatedBy: "| fault |")[1].split(separator: "\n")
      .filter { $0.hasPrefix("| `") }
    let listed = rows.compactMap { $0.split(separator: "`").dropFirst().first.map(String.init) }
    expectEqual(Set(listed), Set(FaultCase.all.map { $0.fault.split(separator: "\"")[0] }.map(String.init) + ["slow"]))
    expectEqual(listed.count, Set(listed).count)
  }

  @Test("The table of outcomes is that of the tests")
  func outcomes() throws {
    let table = HTTPOutcomeCase.table
    #expect(try Self.page("ServiceOutcomes").contains(table), "the page should say:\n\(table)")
  }
}
