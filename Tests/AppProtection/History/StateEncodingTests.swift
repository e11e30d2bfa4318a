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
    #expect(hash == 2_405_645_745_559_530_794)
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
      #expect(members[index].tree == rich.tree(ofSlice: index))
    }
    #expect(rich.tree(ofSlice: 99) == .members([]))
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
          #expect(Self.encoded(again, index) == canonical)
          _ = state.tree()
          _ = state.pendingWork(at: Moment(wallNanoseconds: .max))
        }
      }
    }
  }
}
