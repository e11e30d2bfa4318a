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
    for block in try Self.page("ServiceFolders").components(separatedBy: "```json ").dropFirst() {
      let lines = block.components(separatedBy: "\n")
      let end = try #require(lines.firstIndex(of: "```"))
      names.append(lines[0])
      try folder.write(lines[0], lines[1..<end].joined(separator: "\n"))
    }
    #expect(
      Set(names) == [
        "users.json", "assignments.json", "wipes.json", "faults.json", "policies/level-1.json", "policies/level-2.json",
        "configurations/start.json",
      ])
    let read = try ServiceFolder.read(at: folder.path)
    #expect(read.mistakes == [])
    #expect(read.users.count == 2)
    #expect(read.faults.count == 3)
    guard case .policy(let policy, _) = await folder.service().checkIn(.alice) else { throw Failure() }
    #expect(policy.access.minimumPinLength == 6)
    #expect(await folder.service().enroll(.bob).code == 225)
    let deliveries = await folder.service().deliveries(.alice)
    #expect(deliveries.user == .init(clockStatus: .clockedIn))
    #expect(deliveries.configuration?.first?["start"]?.text == "https://intranet.contoso.com/\(TestFolder.alice)")
  }

  @Test("The page lists every fault, and no other")
  func faults() throws {
    let rows = try Self.page("ServiceFolders").components(separatedBy: "| fault |")[1].split(separator: "\n")
      .filter { $0.hasPrefix("| `") }
    let listed = rows.compactMap { $0.split(separator: "`").dropFirst().first.map(String.init) }
    #expect(Set(listed) == Set(FaultCase.all.map { $0.fault.split(separator: "\"")[0] }.map(String.init) + ["slow"]))
    #expect(listed.count == Set(listed).count)
  }

  @Test("The table of outcomes is that of the tests")
  func outcomes() throws {
    let table = HTTPOutcomeCase.table
    #expect(try Self.page("ServiceOutcomes").contains(table), "the page should say:\n\(table)")
  }
}
