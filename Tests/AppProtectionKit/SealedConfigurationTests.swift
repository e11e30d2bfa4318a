import Expectations
import AppProtection
import AppProtectionKit
import EventSourcing
import EventSourcingKit
import Journal
import Testing

@Suite("A configuration delivered to an account, in a sealed journal")
struct SealedConfigurationTests {
  private static let texts = ["room 4711 of alice", "alice's secret", "alice's hidden", "a phone number", "5551234567"]

  /// The tenant's default and two policies that agree; the first of them with every kind of value.
  private static var entries: [ConfigurationEntry] {
    var secret = ConfigurationValue("password", texts[1])
    secret.isSecret = true
    var hidden = ConfigurationValue("\(texts[2]) key", texts[3])
    hidden.isKeySecret = true
    var empty = ConfigurationValue("nothing", "")
    empty.isSecret = true
    return [
      ConfigurationEntry(
        [ConfigurationValue("room", "none"), ConfigurationValue("tenant", "contoso")], isDefault: true),
      ConfigurationEntry([
        ConfigurationValue("room", texts[0]), ConfigurationValue("flag", true),
        ConfigurationValue("call", 5_551_234_567),
        ConfigurationValue("empty", ""), ConfigurationValue("name", "{{userprincipalname}}"), secret, hidden, empty,
      ]),
      ConfigurationEntry([ConfigurationValue("room", texts[0]), ConfigurationValue("flag", false)]),
    ]
  }

  private static func found(in folder: ManagedFolder) -> [String] {
    texts.filter { FoundBytes.contain("-iF \"\($0)\"", below: folder.path) }
  }

  /// What every event adds up to.
  private static func digests(_ history: History<AppProtectionMachine>) throws -> [StateDigest] {
    try (1...history.check().lastSequence).map { StateDigest(of: try history.state(at: .sequence($0)).state) }
  }

  private static func read(_ configuration: AppConfiguration) {
    expectEqual(configuration.fullData.map(\.values.count), [2, 8, 2])
    #expect(configuration.string("room") == texts[0] && !configuration.hasConflict("room"))
    #expect(configuration.bool("flag", .or) == true && configuration.hasConflict("flag"))
    #expect(configuration.number("call") == 5_551_234_567 && configuration.string("empty") == "")
    #expect(configuration.string("name") == "Alice@Contoso.com" && configuration.string("tenant") == "contoso")
    #expect(configuration.string("password") == texts[1] && configuration.string("nothing") == "")
    expectEqual(configuration.string("\(texts[2]) key"), texts[3])
  }

  @Test(
    "No byte of a value is on the disk; after the person is erased the journal is what it was, and the values are absent"
  )
  func erasing() throws {
    let folder = try ManagedFolder()
    let alice = ManagedFolder.alice
    try folder.send(.deliverConfiguration(alice, Self.entries))
    Self.read(folder.store.state.appConfiguration(for: .first))
    try folder.relaunch()
    Self.read(folder.store.state.appConfiguration(for: .first))
    try folder.store.checkpoint()
    expectEqual(Self.found(in: folder), [])
    var history = try History<AppProtectionMachine>(at: folder.path + "/journal")
    let digests = try Self.digests(history)
    let before = try history.state(at: .end).state

    try folder.keys.erase(.first)
    try expectEqual(Self.digests(history), digests)
    #expect(try history.reader.verify().findings == [] && history.check().isSound)
    try folder.relaunch()
    let state = folder.store.state
    expectEqual(state.configuration, before.configuration, "the stored bytes are the same")
    let configuration = state.appConfiguration(for: .first)
    expectEqual(configuration.fullData.map(\.isDefault), [true, false, false])
    // A text without content is never sealed: it says nothing.
    let empty = Self.entries[1].values.filter(\.text.isEmpty)
    #expect(empty.count == 2 && configuration.fullData.map(\.values) == [[], empty, []])
    #expect(
      configuration.string("room") == nil && configuration.bool("flag") == nil && configuration.number("call") == nil)
    #expect(!configuration.hasConflict("flag") && configuration.string("") == nil)
    // Nothing of it stops what asks for a value of the configuration.
    expectEqual(state.screenCapture(for: .first).outcome, before.screenCapture(for: .first).outcome)

    for (sealing, isErased) in [(folder.keys.sealing, true), (nil, false)] as [(Sealing?, Bool)] {
      history.sealing = sealing
      let tree = try history.state(at: .end).state.tree()
      for name in ["room", "flag", "call", "password", "%secret1"] {
        guard case .value(.sealed(mark: _, let shown))? = tree[path: "/configuration/a1/2/values/\(name)"] else {
          Issue.record("\(name) is not sealed: \(String(describing: tree[path: "/configuration/a1/2/values"]))")
          return
        }
        expectEqual(shown, isErased)
      }
    }
    expectEqual(Self.found(in: folder), [])
  }

  @Test("The search finds what a journal without keys holds; such a journal opens with keys, and goes on sealed")
  func plain() throws {
    let folder = try ManagedFolder()
    let path = folder.path + "/plain"
    var options = StoreOptions()
    var store = try EventStore<AppProtectionMachine>.create(
      at: path, journalID: .random(), createdNanoseconds: 0, options: options)
    func send(_ command: AppProtectionCommand) throws -> Int {
      let next = Int64(store.lastSequence + 1)
      return try store.append(command, at: Moment(wallNanoseconds: next, uptimeNanoseconds: next)).events.count
    }
    _ = try send(.startProcess(ProcessStart()))
    _ = try send(.registerAndEnroll(ManagedFolder.alice))
    _ = try send(.answerEnrollment(ManagedFolder.alice, .noPolicy))
    try expectEqual(send(.deliverConfiguration(ManagedFolder.alice, Self.entries)), 1)
    expectEqual(store.state.configuration.accounts[.first]?.entries, Self.entries)
    try store.close()
    expectEqual(Self.found(in: folder), Self.texts)

    options.sealing = folder.keys.sealing
    store = try EventStore.open(at: path, options: options)
    Self.read(store.state.appConfiguration(for: .first))
    try expectEqual(send(.deliverConfiguration(ManagedFolder.alice, Self.entries)), 0)
    try expectEqual(send(.deliverConfiguration(ManagedFolder.alice, Self.entries.reversed())), 1)
    #expect(store.state.configuration.accounts[.first]?.entries != Self.entries.reversed())
    expectEqual(store.state.appConfiguration(for: .first).string("room"), Self.texts[0])
    try store.close()
  }

  @Test(
    "The same configuration again is no event, although each text is sealed anew; another one is, also in the app's words"
  )
  func unchanged() throws {
    let folder = try ManagedFolder()
    let alice = ManagedFolder.alice
    func isNew(_ entries: [ConfigurationEntry]) throws -> Bool {
      let last = folder.store.lastSequence
      try folder.send(.deliverConfiguration(alice, entries))
      return folder.store.lastSequence > last
    }
    #expect(try isNew(Self.entries))
    #expect(try !isNew(Self.entries))
    try folder.relaunch()
    #expect(try !isNew(Self.entries))
    // What an app read from the state is the same as well, and is sealed anew where it changes.
    let known = try #require(folder.store.state.configuration.accounts[.first]?.entries)
    #expect(known != Self.entries, "the stored bytes are compared")
    #expect(try !isNew(known))
    var changed = Self.entries
    changed[2] = ConfigurationEntry([ConfigurationValue("room", "room 4711 of alice and bob")])
    #expect(try isNew(changed) && !isNew(changed))
    #expect(try isNew(Array(known.dropFirst())))
    let sealed = try #require(folder.store.state.configuration.accounts[.first]?.entries.first)
    #expect(sealed != known[1] && sealed["room"]?.text == Self.texts[0])
    expectEqual(Self.found(in: folder), [])

    // A replay without keys sees what changed, though not how.
    var cursor = try History<AppProtectionMachine>(at: folder.path + "/journal").cursor()
    var calls: [Callback] = []
    while case .event(let step)? = try cursor.next() {
      guard case .configurationReceived(let event)? = step.record.event else { continue }
      #expect(AppConfiguration(event.entries).fullData.allSatisfy { $0["room"] == nil })
      calls += AppProtectionMachine.callbacks(
        for: .configurationReceived(event), before: try #require(step.before), after: try #require(step.after))
    }
    expectEqual(calls, [Callback](repeating: .configurationDidChange(.first), count: 3))
  }

  @Test("A value that was moved to an event of another account, or to a field of secrets, does not open")
  func moved() throws {
    let folder = try ManagedFolder()
    try folder.send(.deliverConfiguration(ManagedFolder.alice, [Self.entries[2]]))
    let sealing = folder.keys.sealing
    let recorded = try #require(folder.store.recordedEvents(after: 0).last?.event)
    guard case .configurationReceived(let event) = recorded else {
      Issue.record("\(recorded)")
      return
    }
    func opened(_ change: (inout ConfigurationReceived) -> Void) throws -> ConfigurationValue? {
      var event = event
      change(&event)
      guard
        case .configurationReceived(let opened) = try sealing.opened(AppProtectionEvent.configurationReceived(event))
      else { return nil }
      return opened.entries.first?["room"]
    }
    try expectEqual(opened { _ in }?.text, Self.texts[0])
    let other = try #require(AccountNumber(2))
    #expect(try opened { $0.account = other } == nil)
    var value = try #require(folder.store.state.configuration.accounts[.first]?.entries.first?["room"])
    value.isSecret = true
    #expect(value.isReadable)
    // The list of an entry keeps what it is given.
    #expect(try opened { $0.entries = [ConfigurationEntry([value])] } == nil)
    value.isSecret = false
    try expectEqual(opened { $0.entries = [ConfigurationEntry([value])] }?.text, Self.texts[0])
  }

  @Test(
    "Keyframes, checkpoints and a retired past hold no byte of a value either, and verify after the person is erased")
  func keyframes() throws {
    let folder = try ManagedFolder()
    var options = StoreOptions()
    options.sealing = folder.keys.sealing
    options.keyframeInterval = 4
    (options.journal.segmentSizeLimit, options.journal.preallocation) = (1 << 12, 0)
    let path = folder.path + "/other"
    let store = try EventStore<AppProtectionMachine>.create(
      at: path, journalID: .random(), createdNanoseconds: 0, options: options)
    func send(_ command: AppProtectionCommand) throws {
      let next = Int64(store.lastSequence + 1)
      try store.append(command, at: Moment(wallNanoseconds: next, uptimeNanoseconds: next))
    }
    try send(.startProcess(ProcessStart()))
    try send(.registerAndEnroll(ManagedFolder.alice))
    try send(.answerEnrollment(ManagedFolder.alice, .noPolicy))
    for number in 1...30 {
      let entry = ConfigurationEntry([ConfigurationValue("n", Int64(number))])
      try send(.deliverConfiguration(ManagedFolder.alice, Self.entries + [entry]))
    }
    #expect(try store.retire(before: 20, keepingStates: true) > 5)
    try store.close()
    let history = try History<AppProtectionMachine>(at: path)
    let last = try history.check().lastSequence
    let digests = try (25...last).map { StateDigest(of: try history.state(at: .sequence($0)).state) }
    expectEqual(Self.found(in: folder), [])
    try folder.keys.erase(.first)
    #expect(try (25...last).map { StateDigest(of: try history.state(at: .sequence($0)).state) } == digests)
    #expect(try history.rebuildKeyframes(every: 2) > 4)
    #expect(try history.reader.verify().findings == [] && history.check().isSound)
    expectEqual(Self.found(in: folder), [])
  }

  @Test("A command with values that the app read from the state is recognised as the one that delivered them")
  func repeated() throws {
    let folder = try ManagedFolder()
    let moment = Moment(wallNanoseconds: 2_000_000_000_000, uptimeNanoseconds: 2_000_000_000_000)
    let alice = ManagedFolder.alice
    try folder.store.append(.deliverConfiguration(alice, Self.entries), at: moment, idempotencyKey: [1])
    let known = try #require(folder.store.state.configuration.accounts[.first]?.entries)
    try folder.store.append(.setDeviceConfiguration(known[1].values), at: moment, idempotencyKey: [2])
    let last = folder.store.lastSequence
    try folder.store.append(.deliverConfiguration(alice, known), at: moment, idempotencyKey: [1])
    try folder.store.append(.setDeviceConfiguration(Self.entries[1].values), at: moment, idempotencyKey: [2])
    expectEqual(folder.store.lastSequence, last)
    #expect(throws: StoreError<AppProtectionRejection>.self) {
      try folder.store.append(.deliverConfiguration(alice, [known[0]]), at: moment, idempotencyKey: [1])
    }
  }

  @Test("The configuration of the device belongs to no account, and stays plain")
  func device() throws {
    let folder = try ManagedFolder()
    var hidden = ConfigurationValue("the device's key", "the device's value")
    (hidden.isKeySecret, hidden.isSecret) = (true, true)
    try folder.send(.setDeviceConfiguration([hidden, ConfigurationValue("plain", "of the device")]))
    let last = folder.store.lastSequence
    try folder.send(.setDeviceConfiguration([ConfigurationValue("plain", "of the device"), hidden]))
    expectEqual(folder.store.lastSequence, last)
    try folder.store.checkpoint()
    #expect(FoundBytes.contain("-F \"of the device\"", below: folder.path))
    // A value that is taken from an account's configuration is written as plainly.
    try folder.send(.deliverConfiguration(ManagedFolder.alice, Self.entries))
    let values = try #require(folder.store.state.configuration.accounts[.first]?.entries.last?.values)
    try folder.send(.setDeviceConfiguration(values))
    try folder.keys.erase(.first)
    try folder.relaunch()
    expectEqual(folder.store.state.configuration.device?.values, Self.entries[2].values)
  }
}
