import Expectations
import EventSourcing
import Testing
import WireFormat

@testable import AppProtection

@Suite("Policies in wire format")
struct PolicyWireFormatTests {
  static func encoded(_ policy: PolicyDocument) -> [UInt8] {
    var writer = WireWriter()
    policy.encode(into: &writer)
    return writer.bytes
  }

  static func decoded(_ bytes: [UInt8]) throws -> PolicyDocument {
    try WireReader.decode(bytes) { (reader) throws(WireError) in try PolicyDocument(from: &reader) }
  }

  @Test("Absent, null, empty and set are four different things, and all survive")
  func presence() throws {
    let policies = [
      PolicyDocument(), PolicySamples.policy { _ in .null },
      PolicySamples.policy { .value(PolicySamples.emptyValue(for: $0)) }, PolicySamples.full,
    ]
    for (index, policy) in policies.enumerated() {
      let bytes = Self.encoded(policy)
      let again = try Self.decoded(bytes)
      expectEqual(again, policy)
      expectEqual(Self.encoded(again), bytes)
      for other in policies[(index + 1)...] { #expect(Self.encoded(other) != bytes) }
    }
    #expect(Self.encoded(PolicyDocument()).isEmpty)
  }

  @Test("Equal policies give equal bytes, in whatever order they were filled")
  func determinism() {
    var backwards = PolicyDocument(kind: .defaultPolicy)
    for property in PolicyProperty.all.reversed() {
      backwards[property] = .null
      backwards[property] = .value(PolicySamples.value(for: property))
    }
    backwards.keptMembers = PolicySamples.full.keptMembers
    expectEqual(backwards, PolicySamples.full)
    expectEqual(Self.encoded(backwards), Self.encoded(PolicySamples.full))
    var nulls = PolicyDocument()
    for property in PolicyProperty.all.reversed() { nulls[property] = .null }
    expectEqual(Self.encoded(nulls), Self.encoded(PolicySamples.policy { _ in .null }))
  }

  @Test("Fields are written in rising order, and all of them are described")
  func described() throws {
    let numbers = try WireReader.decode(Self.encoded(PolicySamples.full)) { (reader) throws(WireError) -> [Int] in
      var numbers: [Int] = []
      while let field = try reader.nextField() {
        numbers.append(field.number)
        try reader.skip(field)
      }
      return numbers
    }
    expectEqual(numbers, numbers.sorted())
    expectEqual(Set(numbers).union([2]), Set(PolicyDocument.descriptor.fields.map(\.number)))
  }

  @Test("A later program's fields, enumeration members and nested fields survive an older program")
  func laterFields() throws {
    var writer = WireWriter()
    writer.write(1, unsigned: 9)
    writer.writePresent(2, unsigned: 50)
    writer.writePresent(2, unsigned: 4000)
    writer.writePresent(51, unsigned: 7)
    writer.writePresent(54, unsigned: 1)
    writer.write(55) { list in for number in [2, 77] as [UInt64] { list.writePresent(1, unsigned: number) } }
    writer.write(61) { list in
      list.write(1) {
        $0.write(1, string: "Default")
        $0.write(9, string: "later")
      }
    }
    writer.write(3000, string: "later")
    writer.write(3000, string: "again")
    writer.write(4001, fixed: 5)
    let policy = try Self.decoded(writer.bytes)
    expectEqual(policy.kind, .unrecognized)
    expectEqual(policy.dataTransfer.saveAsBlocked, true)
    expectEqual(policy.dataTransfer.allowedOutboundDataTransferDestinations, .unrecognized)
    expectEqual(policy.dataTransfer.allowedDataStorageLocations, [.sharePoint, .unrecognized])
    expectEqual(policy.dataTransfer.exemptedAppProtocols, [PolicyPair("Default", nil)])
    let bytes = Self.encoded(policy)
    expectEqual(bytes.count, writer.bytes.count)
    let again = try Self.decoded(bytes)
    expectEqual(again, policy)
    expectEqual(Self.encoded(again), bytes)
    var changed = policy
    for property in PolicyProperty.all where property.name == "allowedDataStorageLocations" {
      changed[property] = .value(.choices([2]))
    }
    try expectEqual(Self.decoded(Self.encoded(changed)).dataTransfer.allowedDataStorageLocations, [.sharePoint])
  }

  @Test("A field that occurs twice counts once, the last time")
  func lastWins() throws {
    var writer = WireWriter()
    writer.writePresent(51, unsigned: 99)
    writer.writePresent(51, unsigned: 1)
    let policy = try Self.decoded(writer.bytes)
    expectEqual(policy.dataTransfer.allowedOutboundDataTransferDestinations, .managedApps)
    #expect(policy.storage.preservedFields.isEmpty)
  }

  @Test("Bytes that are no policy are refused at their place")
  func refusals() throws {
    func refusal(_ body: (inout WireWriter) -> Void) throws -> WireError {
      var writer = WireWriter()
      body(&writer)
      return try #require(throws: WireError.self) { try Self.decoded(writer.bytes) }
    }
    let wrongType = try refusal { $0.write(54, string: "yes") }
    expectEqual(wrongType.code, .wrongWireType(field: 54))
    let negative = try refusal {
      $0.writePresent(54, unsigned: 1)
      $0.writePresent(172, string: "-PT1S")
    }
    #expect(negative.code == .outOfRange(field: 172) && negative.offset == 3)
    let range = try refusal { $0.writePresent(170, unsigned: 65536) }
    expectEqual(range.code, .outOfRange(field: 170))
    let nulls = try refusal {
      $0.writePresent(2, unsigned: 51)
      $0.writePresent(2, unsigned: 50)
    }
    expectEqual(nulls.code, .outOfRange(field: 2))
  }

  @Test("Damaged bytes never stop the program, and what is read survives")
  func damage() throws {
    let bytes = Self.encoded(PolicySamples.full)
    for count in 0..<bytes.count { _ = try? Self.decoded(Array(bytes.prefix(count))) }
    for index in bytes.indices {
      for bit in [index % 8, (index + 3) % 8] {
        var damaged = bytes
        damaged[index] ^= 1 << UInt8(bit)
        guard let policy = try? Self.decoded(damaged) else { continue }
        let once = Self.encoded(policy)
        try expectEqual(Self.decoded(once), policy, "bit \(bit) of byte \(index)")
      }
    }
  }
}
