import Expectations
import EventSourcing
import Testing
import WireFormat

@testable import AppProtection

@Suite("The canonical encoding of the state")
struct StateEncodingTests {
  /// A state in which every slice has much to say.
  static func rich() throws -> TestApp {
    var app = try TestApp { settings in
      settings = EventSamples.settings
      settings.autoEnrollOnLaunch = false
      settings.firstPolicyNeedsNoRestart = false
    }
    try app.run(.setAllowedAccounts([.a, .b, .colleague]), .setDeviceAccount(.a))
    try app.enroll(.a)
    try app.run(.setDeviceAccount(nil))
    try app.enroll(.b, .failure(.init(.timeout, error: "offline")))
    try app.run(.setIdentity(.ui, .account(.a)), .setIdentity(.window(7), .unmanaged))
    try app.run(.setIdentity(.thread("t"), .account(.b)), .requestIdentitySwitch(.ui, .unmanaged, .documentImport))
    try app.run(.remediateCompliance(.a, isSilent: true), .remediateCompliance(.b, isSilent: true))
    try app.enroll(.colleague)
    try app.run(.requestWipe(.colleague, .administrator, .service), .removeToken(.b), .loginAndEnroll(nil))
    try app.run(.setDeviceConfiguration([ConfigurationValue("k", "v")]), .reportSignIns([.a]))
    try app.run(.deliverConfiguration(.a, [ConfigurationEntry([ConfigurationValue("k", "v")])]))
    try app.run(.answerRestart(.postponed, postponedMinutes: 3), .acknowledgeMissingPolicy)
    try app.run(.reportDevice(EventSamples.device), .setPIN(.a, EventSamples.pin))
    try app.run(.reportUserStatus(.a, .clockedOut, isDisabled: true), .reportPINAttempt(.a, isRight: false))
    try app.run(.reportPINAttempt(.a, isRight: true, byBiometrics: true))
    return app
  }

  static func encoded(_ state: AppProtectionState, _ index: Int) -> [UInt8] {
    var writer = WireWriter()
    state.encodeSlice(index, into: &writer)
    return writer.bytes
  }

  @Test("The encoding of a known history is the same in every process")
  func determinism() throws {
    // FNV-1a over all slices; the number changes only with the format, and then the reducer's revision is raised.
    var hash: UInt64 = 0xcbf2_9ce4_8422_2325
    let state = try Self.rich().state
    for index in AppProtectionState.sliceNames.indices {
      for byte in Self.encoded(state, index) { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01b3 }
    }
    expectEqual(hash, 12_566_425_181_836_587_235)
  }

  @Test("Whatever a record of the state writes is shown of it")
  func everyFieldIsShown() throws {
    var waiting = try SilentCheckInTests.outOfTouch()
    try waiting.run(.setIdentity(.ui, .account(.a), outcome: .success))
    for state in [try Self.rich().state, waiting.state] {
      for record in state.accounts.records { try Self.checkFields(of: record) }
      for record in state.wipes.records { try Self.checkFields(of: record) }
      for record in state.compliance.accounts.records { try Self.checkFields(of: record) }
      for record in state.launch.accounts.records { try Self.checkFields(of: record) }
    }
    expectEqual(waiting.state.launch.accounts[.a1]?.isAnswered, true)
  }

  /// Expects that a record shows something else when one of its fields is left out.
  private static func checkFields<Record: AccountRecord>(of record: Record) throws {
    var writer = WireWriter()
    record.encode(into: &writer)
    let bytes = writer.bytes
    var numbers: [Int] = []
    let fields = MessageFields(bytes, as: nil).fields
    for field in fields where field.number != 1 { numbers.append(Int(field.number)) }
    for number in numbers {
      let rest = try without(number, bytes)
      let other = try rest.withUnsafeBytes { buffer in
        var reader = WireReader(buffer)
        return try Record(from: &reader)
      }
      #expect(other == record || other.tree() != record.tree(), "\(Record.self), field \(number)")
    }
  }

  /// A message without one of its fields.
  private static func without(_ number: Int, _ bytes: [UInt8]) throws -> [UInt8] {
    var (rest, place) = ([UInt8](), 0)
    func varint() -> Int {
      var (value, shift) = (0, 0)
      while place < bytes.count {
        let byte = bytes[place]
        place += 1
        if shift < 63 { value |= Int(byte & 0x7f) << shift }
        shift += 7
        if byte < 0x80 { break }
      }
      return value
    }
    while place < bytes.count {
      let start = place
      let tag = varint()
      switch tag & 7 {
      case 0: _ = varint()
      case 1: place += 8
      case 2:
        let length = varint()
        place += length
      default: place += 4
      }
      if tag >> 3 != number { rest += bytes[start..<min(place, bytes.count)] }
    }
    return rest
  }

  @Test("A slice is equal to another exactly when its bytes are")
  func sliceEquality() throws {
    let rich = try Self.rich().state
    let empty = AppProtectionState()
    for index in AppProtectionState.sliceNames.indices {
      #expect(rich.slice(index, equals: rich))
      #expect(!rich.slice(index, equals: empty), "\(AppProtectionState.sliceNames[index])")
      #expect(Self.encoded(rich, index) != Self.encoded(empty, index))
      guard case .members(let members) = rich.tree() else { continue }
      expectEqual(members[index].tree, rich.tree(ofSlice: index))
    }
    expectEqual(rich.tree(ofSlice: 99), .members([]))
  }

  @Test("Accounts, windows and threads out of order are refused")
  func order() throws {
    let rich = try Self.rich().state
    for (index, field) in [(2, 1), (4, 3), (4, 4)] {
      let bytes = Self.encoded(rich, index)
      var element: [UInt8] = []
      try WireReader.decode(bytes) { (reader) throws(WireError) in
        while let next = try reader.nextField() {
          let copy = try reader.skipCopying(next)
          if next.number == field { element = copy }
        }
      }
      try #require(!element.isEmpty)
      var state = AppProtectionState()
      #expect(throws: WireError.self, "slice \(index), field \(field)") {
        try WireReader.decode(bytes + element) { (reader) throws(WireError) in
          try state.decodeSlice(index, from: &reader)
        }
      }
    }
  }

  @Test("Cutting or changing any byte never traps, and never gives a state that does not encode")
  func mutations() throws {
    let rich = try Self.rich().state
    var random = RandomSequence(seed: 11)
    for index in AppProtectionState.sliceNames.indices {
      let bytes = Self.encoded(rich, index)
      for place in bytes.indices {
        for isCut in [true, false] {
          var changed = isCut ? Array(bytes[..<place]) : bytes
          if !isCut { changed[place] = UInt8(truncatingIfNeeded: random.next()) }
          var state = AppProtectionState()
          guard
            (try? WireReader.decode(
              changed, { (reader) throws(WireError) in try state.decodeSlice(index, from: &reader) })) != nil
          else { continue }
          var again = AppProtectionState()
          let canonical = Self.encoded(state, index)
          try WireReader.decode(canonical) { (reader) throws(WireError) in
            try again.decodeSlice(index, from: &reader)
          }
          expectEqual(Self.encoded(again, index), canonical)
          _ = state.tree()
          _ = state.pendingWork(at: Moment(wallNanoseconds: .max))
        }
      }
    }
  }
}
