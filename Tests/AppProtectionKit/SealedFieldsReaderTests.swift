import Expectations
import AppProtection
import AppProtectionKit
import Foundation
import Testing

/// The reader in Python knows the published pages and nothing else: from them alone, a sealed journal can be read with its keys.
@Suite("The independent reader of sealed fields")
struct SealedFieldsReaderTests {
  private struct Field: Decodable, Equatable {
    var seq: UInt64
    var field: String
    var account: UInt64
    var text: String?
  }

  private static let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent().path

  /// What the reader prints of a folder's journal, and how it ends.
  private func read(
    _ folder: ManagedFolder, scope: String = "notes", wrappingKey: String = String(repeating: "09", count: 32)
  ) throws -> (fields: [Field], code: Int32) {
    let output = "\(folder.path)/out"
    let status = system(
      """
      python3 -B '\(Self.root)/tools/open_sealed_fields.py' '\(folder.path)/journal' --key-file '\(folder.path)/keys' \
      --wrapping-key \(wrappingKey) --scope '\(scope)' > '\(output)' 2> /dev/null
      """)
    let lines = try String(contentsOfFile: output, encoding: .utf8).split(separator: "\n")
    return (try lines.map { try JSONDecoder().decode(Field.self, from: Data($0.utf8)) }, status >> 8)
  }

  @Test("It opens both sealed fields of a journal with the key file, and none of them once the person is erased")
  func opens() throws {
    let folder = try ManagedFolder()
    let alice = try #require(folder.store.state.account(for: ManagedFolder.alice)?.account)
    let found = try read(folder)
    expectEqual(found.code, 0)
    let names = found.fields.compactMap { $0.field.split(separator: ".").last }
    expectEqual(Set(names), ["objectID", "userPrincipalName"])
    let texts = Set(found.fields.map(\.text))
    expectEqual(texts, [ManagedFolder.alice.objectID.map { $0.description.lowercased() }, "Alice@Contoso.com"])
    expectEqual(Set(found.fields.map(\.account)), [UInt64(alice.rawValue)])

    try expectEqual(read(folder, scope: "mail").code, 4)
    try expectEqual(read(folder, wrappingKey: String(repeating: "0a", count: 32)).code, 3)

    try folder.keys.erase(alice)
    let erased = try read(folder)
    expectEqual(erased.code, 0)
    expectEqual(erased.fields.map(\.field), found.fields.map(\.field))
    #expect(erased.fields.allSatisfy { $0.text == nil })
  }
}
