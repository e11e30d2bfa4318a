import Expectations
import AppProtection
import Testing

@testable import SampleNotes

/// Exit criteria of the guide's stage 5: who logs in and out.
@Suite("Exit criteria of stage 5: login and logout")
@MainActor
struct LoginTests {
  @Test("Log in managed first")
  func managedFirst() async throws {
    let phone = try TestPhone()
    await phone.signInAlice()
    await expectEqual(phone.isPolicyApplied(after: "switch alice@contoso.com"), true)
    await phone.type("sign-in bob@fabrikam.com")
    await expectEqual(phone.isPolicyApplied(after: "switch bob@fabrikam.com"), false)
  }

  @Test("Log in unmanaged first")
  func unmanagedFirst() async throws {
    let phone = try TestPhone()
    await phone.type("sign-in bob@fabrikam.com")
    await expectEqual(phone.isPolicyApplied(after: "switch bob@fabrikam.com"), false)
    await phone.signInAlice()
    await expectEqual(phone.isPolicyApplied(after: "switch alice@contoso.com"), true)
  }

  @Test("Log in multiple managed")
  func multipleManaged() async throws {
    let phone = try TestPhone()
    await phone.signInAlice()
    await expectEqual(phone.isPolicyApplied(after: "switch alice@contoso.com"), true)
    // The user keeps the account that is managed.
    let printed = await phone.type("sign-in carol@contoso.com\na1\naccounts\nswitch carol@contoso.com")
    #expect(printed.contains("Only one account can be managed."))
    #expect(printed.contains("a1  alice@contoso.com: managed, on the screen"))
    #expect(!printed.contains { $0.contains("carol@contoso.com: managed") })
    // An unmanaged account of the managed account's organization does not come to the screen.
    expectEqual(printed.last, "the identity stays as it is: notAllowed")
    await phone.type("sign-out alice@contoso.com\nsign-out carol@contoso.com\nsign-in carol@contoso.com\n\n")
    await expectEqual(phone.isPolicyApplied(after: "switch carol@contoso.com"), true)
  }

  @Test("Log out managed")
  func logOutManaged() async throws {
    let phone = try TestPhone()
    await phone.signInBoth()
    await phone.type(
      "switch alice@contoso.com\nwrite minutes secret\nswitch bob@fabrikam.com\nwrite list milk\nsign-out alice@contoso.com"
    )
    await expectEqual(phone.type("accounts"), ["a2  bob@fabrikam.com: not managed, on the screen"])
    #expect(phone.files(of: "a1").isEmpty)
    await expectEqual(phone.type("list\nread list"), ["list", "milk"])
    await expectEqual(phone.isPolicyApplied(after: "switch bob@fabrikam.com"), false)
  }

  @Test(
    "A wipe forgets what was on the screen before it removes files, and so does what a dead process was writing down")
  func forgetsBeforeFilesGo() async throws {
    let phone = try TestPhone()
    await phone.signInAlice()
    await phone.type("switch alice@contoso.com\nwrite minutes secret")
    expectEqual(phone.text("phone/notes/last-shown"), "a1")
    try phone.write("phone/notes/last-shown.draft", "a1")
    // The app dies after the delegate's part.
    let app = try await phone.launch()
    await expectEqual(app.delegate.wipeData(account: try #require(AccountNumber("a1"))), false)
    #expect(phone.text("phone/notes/last-shown") == "gone" && phone.text("phone/notes/last-shown.draft") == nil)
    expectEqual(phone.files(of: "a1"), ["minutes.note"])
    // What belongs to another account stays.
    try await phone.type("switch alice@contoso.com", into: app)
    await expectEqual(app.delegate.wipeData(account: try #require(AccountNumber("a2"))), false)
    expectEqual(phone.text("phone/notes/last-shown"), "a1")
    try phone.write("phone/notes/last-shown.draft", "a3")
    await expectEqual(app.delegate.wipeData(account: try #require(AccountNumber("a3"))), false)
    #expect(phone.text("phone/notes/last-shown") == "a1" && phone.text("phone/notes/last-shown.draft") == nil)
    try await phone.type("wipe alice@contoso.com", into: app)
    #expect(phone.text("phone/notes/last-shown") == "gone" && phone.files(of: "a1").isEmpty)
    try await app.end()
    // The next process remembers that there were notes, and not whose.
    let printed = await phone.type("write leak secret\nswitch\nwrite own mine")
    expectEqual(printed.first?.hasPrefix("the notes that were on the screen cannot be shown: "), true)
    #expect(printed.last == "written" && phone.files(of: "personal") == ["own.note"])
  }

  @Test("What was on the screen is forgotten at the next launch where a wipe could not remove it")
  func forgetsLater() async throws {
    let phone = try TestPhone()
    await phone.signInAlice()
    await phone.type("switch alice@contoso.com\nsign-out alice@contoso.com")
    try phone.write("phone/notes/last-shown", "a1")
    await expectEqual(phone.type("accounts"), [])
    expectEqual(phone.text("phone/notes/last-shown"), "gone")
  }

  @Test("Log out unmanaged")
  func logOutUnmanaged() async throws {
    let phone = try TestPhone()
    await phone.signInBoth()
    await phone.type(
      "switch bob@fabrikam.com\nwrite list milk\nswitch alice@contoso.com\nwrite minutes secret\nsign-out bob@fabrikam.com"
    )
    await expectEqual(phone.type("accounts"), ["a1  alice@contoso.com: managed, on the screen"])
    #expect(phone.files(of: "a2").isEmpty)
    await expectEqual(phone.type("list\nread minutes"), ["minutes", "secret"])
    await expectEqual(phone.isPolicyApplied(after: "switch alice@contoso.com"), true)
  }
}

/// Exit criteria of the guide's stage 5: whose data is on the screen, while the app comes and goes.
@Suite("Exit criteria of stage 5: active identity and lifecycle")
@MainActor
struct LifecycleTests {
  private func phone() async throws -> TestPhone {
    let phone = try TestPhone()
    await phone.signInBoth()
    return phone
  }

  @Test("Single account view, managed")
  func managedView() async throws {
    try await expectEqual(phone().isPolicyApplied(after: "switch alice@contoso.com"), true)
  }

  @Test("Single account view, unmanaged")
  func unmanagedView() async throws {
    try await expectEqual(phone().isPolicyApplied(after: "switch bob@fabrikam.com"), false)
    try await expectEqual(phone().isPolicyApplied(after: "switch"), false)
  }

  @Test("Multi-account view: a window with several accounts carries the managed identity")
  func multiAccountView() async throws {
    let phone = try await phone()
    await phone.type("switch bob@fabrikam.com\nwrite list milk\nswitch alice@contoso.com\nwrite minutes secret")
    let printed = await phone.type(
      "switch bob@fabrikam.com\noverview\ncapture\nprint list\nswitch bob@fabrikam.com\ncapture")
    expectEqual(printed.prefix(2), ["alice@contoso.com  minutes: secret", "bob@fabrikam.com  list: milk"])
    #expect(printed.dropFirst(2).prefix(2).allSatisfy { $0.hasPrefix("blocked: ") })
    expectEqual(printed.last, "captured")
  }

  @Test("Managed pause")
  func managedPause() async throws {
    try await expectEqual(phone().isPolicyApplied(after: "switch alice@contoso.com\nresume"), true)
  }

  @Test("Unmanaged pause")
  func unmanagedPause() async throws {
    try await expectEqual(phone().isPolicyApplied(after: "switch bob@fabrikam.com\nresume"), false)
  }

  @Test("Managed kill")
  func managedKill() async throws { try await kill(showing: "alice@contoso.com", isManaged: true) }

  @Test("Unmanaged kill")
  func unmanagedKill() async throws { try await kill(showing: "bob@fabrikam.com", isManaged: false) }

  /// The app comes back with the account that it showed, and with the account's policy.
  private func kill(showing account: String, isManaged: Bool) async throws {
    let phone = try await phone()
    do {
      let app = try await phone.launch()
      try await phone.type("switch \(account)", into: app)
    }
    let printed = await phone.type("accounts\ncapture")
    #expect(printed.contains { $0.contains(account) && $0.hasSuffix(", on the screen") })
    expectEqual(printed.last?.hasPrefix("blocked: "), isManaged)
    await expectEqual(phone.isPolicyApplied(after: "resume"), isManaged)
  }

  @Test("Identity switch ad hoc", arguments: [UInt64(1), 2, 3])
  func adHoc(seed: UInt64) async throws {
    let phone = try await phone()
    var random = RandomSteps(seed: seed)
    // What is dropped was killed: nothing of it is left in memory, and it had no time to end in order.
    var running: NotesApp? = try await phone.launch()
    var written: [String: String] = [:]
    for step in 0..<40 {
      if random.below(4) == 0 {
        running = nil
        running = try await phone.launch()
      }
      let app = try #require(running)
      let account = ["alice@contoso.com", "bob@fabrikam.com"][random.below(2)]
      switch random.below(3) {
      case 0: try await phone.type("resume", into: app)
      default:
        try await phone.type("switch \(account)", into: app)
        try await phone.type("write note 'step \(step)'", into: app)
        written[account] = "step \(step)"
      }
      let isManaged = app.accountOnScreen.map { app.engine.state.name(of: $0) } == "alice@contoso.com"
      let captured = try await phone.type("capture", into: app)
      expectEqual(captured.first?.hasPrefix("blocked: "), isManaged, "seed \(seed), step \(step)")
      #expect(phone.filesShowing("step", of: "a1").isEmpty, "seed \(seed), step \(step)")
    }
    let app = try #require(running)
    for (account, text) in written {
      try await phone.type("switch \(account)", into: app)
      try await expectEqual(phone.type("read note", into: app), [text])
    }
  }
}

/// Numbers that follow from a seed (SplitMix64).
struct RandomSteps {
  private var state: UInt64

  init(seed: UInt64) { state = seed }

  mutating func below(_ limit: Int) -> Int {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return Int((mixed ^ (mixed >> 31)) % UInt64(limit))
  }
}
