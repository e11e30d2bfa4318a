import Expectations
import EventSourcing
import Testing
import WireFormat

@testable import AppProtection

@Suite("The catalogue of events")
struct EventCatalogTests {
  static func body(of event: AppProtectionEvent) -> [UInt8] {
    var writer = WireWriter()
    event.encodeBody(into: &writer)
    return writer.bytes
  }

  static func decoded(_ type: UInt32, version: UInt32 = 1, _ body: [UInt8]) throws(WireError) -> AppProtectionEvent? {
    try WireReader.decode(body) { (reader) throws(WireError) in
      try AppProtectionEvent.decode(type: type, version: version, body: &reader)
    }
  }

  @Test("A choice is called by its case and its type, in both as the language prints them")
  func choices() {
    func expectNames<Choice: WireEnumeration>(_ type: Choice.Type) {
      expectEqual(Choice.allCases.map(\.name), Choice.allCases.map { "\($0)" })
      expectEqual(Choice.schemaName, "\(type)")
    }
    expectNames(EnrollmentStatus.self)
    expectNames(LaunchRule.self)
    expectNames(PINRecord.Generation.self)
    // Both may be what the compiler wrote down, so that some are written down here.
    expectEqual(PINRecord.Generation.allCases.map(\.name), ["current", "second", "first"])
    expectEqual(EnrollmentStatus.descriptor.name(of: 0), "unknown")
    expectEqual("\(EnrollmentStatus.enrolledWithPolicy)", "enrolledWithPolicy")
  }

  @Test("There is a sample of every type, and its number, name and entry agree")
  func samples() throws {
    expectEqual(EventSamples.all.map(\.type), AppProtectionEvent.catalog.entries.map(\.number))
    expectEqual(EventSamples.all.map(\.name), AppProtectionEvent.catalog.entries.map(\.name))
    for event in EventSamples.all {
      let descriptor = try #require(AppProtectionEvent.catalog[event.type])
      expectEqual(descriptor.name, event.name)
      // Its kind leads to the case that it is.
      try expectEqual(Self.decoded(event.type, Self.body(of: event)), event)
      #expect("\(event)".contains("\(descriptor.body.name)("), "\(event.name)")
    }
  }

  @Test("Every entry and every field has a meaning, in one line without jargon of the code")
  func meanings() {
    func check(_ message: MessageDescriptor) {
      for field in message.fields {
        // The fields of a policy are described in its own table.
        if message.name == "PolicyDocument" { continue }
        #expect(field.meaning.count > 3 && !field.meaning.contains("\n"), "\(message.name).\(field.name)")
        if case .message(let inner) = field.type { check(inner) }
      }
    }
    for entry in AppProtectionEvent.catalog.entries {
      #expect(entry.meaning.hasSuffix(".") && entry.meaning.count > 20, "\(entry.name)")
      #expect(entry.remedy.map { $0.hasSuffix(".") } ?? true, "\(entry.name)")
      expectEqual(entry.name.split(separator: ".").count, 2, "\(entry.name)")
      // It gained the offset of the local time.
      expectEqual(entry.version, entry.name == "process.started" ? 2 : 1, "\(entry.name)")
      check(entry.body)
    }
  }

  @Test("A body decodes to the event it came from, whatever its type")
  func roundTrip() throws {
    for event in EventSamples.all {
      try expectEqual(Self.decoded(event.type, Self.body(of: event)), event, "\(event.name)")
    }
  }

  @Test("All described fields are written, no others, in rising order, with the described wire types")
  func describedFields() throws {
    for event in EventSamples.all {
      let body = Self.body(of: event)
      let descriptor = try #require(AppProtectionEvent.catalog[event.type])
      try WireReader.decode(body) { (reader) throws(WireError) in
        try Self.check(&reader, descriptor.body, event.name)
      }
    }
  }

  /// Compares the fields on the wire with those described.
  static func check(_ reader: inout WireReader, _ message: MessageDescriptor, _ place: String) throws(WireError) {
    var numbers: [Int] = []
    while let field = try reader.nextField() {
      guard let described = message.fields.first(where: { $0.number == field.number }) else {
        Issue.record("\(place): field \(field.number) is not described")
        try reader.skip(field)
        continue
      }
      expectEqual(field.type, Self.wireType(of: described.type), "\(place).\(described.name)")
      if numbers.last == field.number {
        expectEqual(described.cardinality, .repeated, "\(place).\(described.name)")
      } else {
        numbers.append(field.number)
      }
      if case .message(let inner) = described.type, inner.name != "PolicyDocument" {
        try reader.message(field) { (reader) throws(WireError) in
          try Self.check(&reader, inner, "\(place).\(described.name)")
        }
      } else {
        try reader.skip(field)
      }
    }
    // An identity, a scope and a configured value are choices: their samples hold one of the alternatives.
    let alternatives = ["Identity": [[2]], "IdentityScope": [[1, 3]], "ConfigurationValue": [[1, 2, 3], [1, 2, 4]]]
    #expect((alternatives[message.name] ?? [message.fields.map(\.number)]).contains(numbers), "\(place)")
  }

  static func wireType(of type: FieldType) -> WireType {
    switch type {
    case .bool, .unsigned, .signed, .duration, .reference, .sequence, .enumeration: .varint
    case .string, .json, .bytes, .guid, .message: .lengthDelimited
    case .time: .fixed64
    }
  }

  @Test("Names and object ids stand in two events only, and every text that may name a person is marked")
  func privacy() {
    var personal: [String] = []
    for entry in AppProtectionEvent.catalog.entries {
      for field in entry.body.fields where field.privacy != .public { personal.append("\(entry.name).\(field.name)") }
    }
    expectEqual(
      personal,
      [
        "deviceConfiguration.changed.deviceID", "account.introduced.objectID", "account.introduced.userPrincipalName",
        "account.identified.objectID", "account.identified.userPrincipalName", "enrollment.failed.error",
        "checkIn.failed.error", "unenrollment.failed.error", "wipe.failed.error", "remediation.finished.message",
        "remediation.finished.title",
      ])
  }

  @Test("A field that holds zero is not taken for one that is absent")
  func zeros() throws {
    for event in EventSamples.all {
      let descriptor = try #require(AppProtectionEvent.catalog[event.type])
      for field in descriptor.body.fields where Self.wireType(of: field.type) == .varint {
        // The last occurrence counts.
        var writer = WireWriter()
        event.encodeBody(into: &writer)
        writer.writePresent(field.number, unsigned: 0)
        guard let zero = try? Self.decoded(event.type, writer.bytes) else { continue }
        try expectEqual(Self.decoded(event.type, Self.body(of: zero)), zero, "\(event.name).\(field.name)")
      }
    }
  }

  @Test("Unknown types and later versions are nobody's, and unknown fields are skipped")
  func unknown() throws {
    for event in EventSamples.all {
      let body = Self.body(of: event)
      let version = try #require(AppProtectionEvent.catalog[event.type]).version
      #expect(try Self.decoded(event.type, version: version + 1, body) == nil)
      for earlier in 1...version { try expectEqual(Self.decoded(event.type, version: earlier, body), event) }
      var writer = WireWriter()
      writer.append(encoded: body)
      writer.write(900, string: "from a later version")
      if event.name != "process.ended" { try expectEqual(Self.decoded(event.type, writer.bytes), event) }
    }
    #expect(try Self.decoded(9999, []) == nil)
  }

  @Test("A body that lacks its account, or holds a number outside its enumeration, does not decode")
  func undecodable() {
    #expect(throws: WireError(.missing(field: 1), at: 0)) { try Self.decoded(22, []) }
    var writer = WireWriter()
    writer.write(1, unsigned: 1)
    writer.write(2, unsigned: 99)
    #expect(throws: WireError(.outOfRange(field: 2), at: 2)) { try Self.decoded(40, writer.bytes) }
    writer = WireWriter()
    writer.write(1, unsigned: 1)
    writer.write(2, bytes: [1, 2, 3])
    #expect(throws: WireError(.outOfRange(field: 2), at: 2)) { try Self.decoded(20, writer.bytes) }
    writer = WireWriter()
    writer.write(1, unsigned: UInt64(UInt32.max) + 1)
    #expect(throws: WireError(.outOfRange(field: 1), at: 0)) { try Self.decoded(22, writer.bytes) }
  }

  @Test("Cutting or changing any byte of a body never traps")
  func mutations() {
    var random = RandomSequence(seed: 7)
    for event in EventSamples.all where event.name != "policy.received" {
      let body = Self.body(of: event)
      for length in 0..<body.count { _ = try? Self.decoded(event.type, Array(body[..<length])) }
      for index in body.indices {
        var changed = body
        changed[index] = UInt8(truncatingIfNeeded: random.next())
        _ = try? Self.decoded(event.type, changed)
      }
    }
  }

  @Test("Events about accounts that nobody introduced change nothing")
  func outOfPlace() {
    let context = EventContext(sequence: 5, moment: Moment(wallNanoseconds: 5))
    let exempt = [
      "process.started", "process.ended", "settings.changed", "restart.required", "launch.warned", "login.requested",
      "account.introduced", "allowedAccounts.changed", "deviceConfiguration.changed", "device.reported", "pin.set",
      "clock.offsetChanged", "settings.overridden",
    ]
    for event in EventSamples.all where !exempt.contains(event.name) {
      var state = AppProtectionState()
      AppProtectionMachine.reduce(into: &state, event, context)
      expectEqual(state, AppProtectionState(), "\(event.name)")
    }
  }

  @Test("Only events on which no state depends may be left out by readers that do not know them")
  func ignorable() {
    let names = AppProtectionEvent.catalog.entries.filter { $0.unknownReaders == .ignorable }.map(\.name)
    expectEqual(names, ["command.refused", "enrollment.conflictDetected", "identity.switchRefused"])
  }
}
