import Expectations
import Testing

@testable import AppProtection

@Suite("Members of Graph's policies")
struct GraphMemberTests {
  @Test("The table is sorted, without repetition, and finds names in their own spelling")
  func table() {
    let names = GraphMember.all.map(\.name)
    expectEqual(names, names.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) })
    expectEqual(Set(names.map { $0.lowercased() }).count, names.count)
    expectEqual(GraphMember.named("encryptAppData")?.types, [.android, .standard])
    #expect(GraphMember.named("EncryptAppData") == nil && GraphMember.isName(ignoringCase: "EncryptAppData"))
  }

  @Test("Members of an iOS policy are typed, except its summary and what Purview evaluates")
  func typed() {
    let typed = Set(PolicyProperty.all.map(\.name))
    #expect(typed.isSubset(of: GraphMember.all.map(\.name)))
    let kept = GraphMember.all.filter { $0.types.contains(.ios) && !typed.contains($0.name) }
    expectEqual(kept.map(\.name), ["deploymentSummary", "purviewContentEvaluationRequired"])
  }

  @Test("Each type has as many members as its page of the reference")
  func counts() {
    func count(_ type: GraphMember.Types) -> Int { GraphMember.all.count { $0.types.contains(type) } }
    #expect(count(.ios) == 84 && count(.android) == 104 && count(.standard) == 114)
    #expect(count(.windows) == 32 && count(.windowsInformation) == 44)
    expectEqual(GraphMember.all.count { $0.foreignPlatform == "an Android setting" }, 41)
    expectEqual(GraphMember.all.count { $0.foreignPlatform == "a Windows setting" }, 35)
  }

  @Test("Every member that is kept has a kind, but for what may hold anything")
  func kinds() {
    let typed = Set(PolicyProperty.all.map(\.name))
    #expect(GraphMember.all.allSatisfy { $0.kind == nil || !typed.contains($0.name) })
    let open = GraphMember.all.filter { $0.kind == nil && !typed.contains($0.name) }.map(\.name)
    expectEqual(
      open,
      [
        "dataRecoveryCertificate", "deploymentSummary", "exemptAppLockerFiles", "protectedAppLockerFiles",
        "rightsManagementServicesTemplateId",
      ])
  }
}
