import EventSourcing
import Expectations
import Testing
import WireFormat

@testable import Forensics

/// A field called "name" says what stands beside it, unless it is sealed.
@Suite("The redaction of a message whose name is sealed")
struct SealedNameTests {
  private static let descriptor = MessageDescriptor(
    "Donor",
    [
      FieldDescriptor(1, "donor", .unsigned, .single, "a number"),
      FieldDescriptor(2, "name", .string, .single, privacy: .account, "a name"),
      FieldDescriptor(3, "value", .string, .single, privacy: .account, "a value"),
    ])

  private static func message(naming name: [UInt8]) -> [UInt8] {
    var writer = WireWriter()
    writer.writePresent(1, unsigned: 17)
    writer.write(2, message: { $0.append(encoded: name) })
    writer.writePresent(3, string: "swordfish")
    return writer.bytes
  }

  @Test("The sealed name stays, and the rest of the message leaves as its own fields say")
  func sealed() throws {
    let sealed: [UInt8] = [0xFF, 1] + [UInt8](repeating: 7, count: 60)
    let redacted = try #require(PayloadRedactor(Pseudonyms()).message(Self.message(naming: sealed), Self.descriptor))
    let fields = MessageFields(redacted, as: Self.descriptor)
    #expect(fields["donor"] != nil)
    #expect(redacted.contains(sealed), "the sealed value stays as it is")
    #expect(!redacted.contains(Array("swordfish".utf8)))
  }

  @Test("A name that can be read still says that the value beside it is a secret")
  func named() throws {
    let name = Array("clientSecret".utf8)
    let redacted = try #require(PayloadRedactor(Pseudonyms()).message(Self.message(naming: name), Self.descriptor))
    #expect(redacted.contains(Array(Pseudonyms.secret.utf8)))
  }
}

extension [UInt8] {
  fileprivate func contains(_ part: [UInt8]) -> Bool {
    indices.contains { self[$0...].starts(with: part) }
  }
}
