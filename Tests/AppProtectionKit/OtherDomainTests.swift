import Expectations
import AppProtection
import AppProtectionKit
import EventSourcing
import Foundation
import Journal
import Testing

/// A bank's journal, which a program of format 1.0 wrote, has the numbers of app protection's types and names no domain.
@Suite("A journal of another domain at the engine's door")
struct OtherDomainTests {
  @Test(
    "It gets no engine: the store on it is refused, and its files stay as they are, to the moment of their last change")
  func refused() throws {
    let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("bank-\(UUID().uuidString)")
    try FileManager.default.copyItem(at: root.appendingPathComponent("pj/Journals1.0/bank"), to: folder)
    defer { try? FileManager.default.removeItem(at: folder) }
    func stamps() throws -> [String] {
      try FileManager.default.contentsOfDirectory(atPath: folder.path).filter { $0 != "LOCK" }.sorted().map { name in
        let path = folder.appendingPathComponent(name)
        let changed = try FileManager.default.attributesOfItem(atPath: path.path)[.modificationDate] as? Date
        return "\(name) \(String(describing: changed)) \(try Data(contentsOf: path).base64EncodedString())"
      }
    }
    let before = try stamps()
    for policy in [DamagePolicy.refuse, .continueAfterVerifiedPrefix] {
      var options = StoreOptions()
      options.onDamage = policy
      let error = #expect(throws: HistoryError.self) {
        let store = try EventStore<AppProtectionMachine>.open(at: folder.path, options: options)
        _ = PolicyEngine.Result.self
        try store.close()
      }
      #expect(error?.description.contains("names no domain") == true && error?.description.contains("event 1") == true)
    }
    try expectEqual(stamps(), before)
  }
}
