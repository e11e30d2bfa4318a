import Expectations
import AppProtection
import AppProtectionKit
import EventSourcing
import Testing

@Suite("What a service delivers besides a policy")
struct DeliveryTests {
  private static let alice = AccountReference(userPrincipalName: "alice@contoso.com")
  private static let entry = ConfigurationEntry([ConfigurationValue("start", "home")])

  /// An enrolled account, with these deliveries.
  private static func enrolled(_ deliveries: ServiceDeliveries) async throws -> TestEngine {
    let test = try TestEngine()
    test.app.answers.withLock { $0.deliveries = deliveries }
    try await test.engine.launch(ProcessStart(), settings: AppSettings())
    try await test.engine.send(.registerAndEnroll(alice))
    try await test.engine.run()
    return test
  }

  private static func checkIn(_ test: TestEngine, _ deliveries: ServiceDeliveries) async throws -> [String] {
    test.app.answers.withLock { $0.deliveries = deliveries }
    let before = try test.types.count
    try await test.engine.send(.requestCheckIn(alice))
    try await test.engine.run()
    return try Array(test.types.dropFirst(before + 2))
  }

  @Test("Configurations and the user's status are recorded once the account is enrolled, caused by its request")
  func recording() async throws {
    let test = try await Self.enrolled(
      ServiceDeliveries(configuration: [Self.entry], user: .init(clockStatus: .clockedOut, isDisabled: true)))
    let records = try test.engine.store.recordedEvents(after: 0)
    expectEqual(
      records.map(\.typeName).suffix(3), ["enrollment.succeeded", "configuration.received", "userStatus.received"])
    let request = try #require(records.first { $0.typeName == "enrollment.requested" }).sequence
    expectEqual(records.suffix(3).map(\.envelope.cause), [request, request, request])
    expectEqual(test.engine.state.appConfiguration(for: .first).fullData.count, 1)
    expectEqual(test.engine.state.launch.accounts[.first]?.isDisabled, true)
    expectEqual(test.app.log.suffix(2), ["enrollmentRequest a1 103", "configurationDidChange a1"])
  }

  @Test("An account that the app named by one of its names is known by both, and cannot be registered twice")
  func identity() async throws {
    let id = try #require(GUID("11111111-2222-3333-4444-555555555555"))
    let both = AccountReference(objectID: id, userPrincipalName: "Alice.Smith@contoso.com")
    let test = try await Self.enrolled(ServiceDeliveries(reference: both))
    let account = test.engine.state.accounts[.first]
    #expect(
      account?.objectID == id && account?.userPrincipalName == "alice@contoso.com", "the app goes on with its name")
    let error = await #expect(throws: EngineError.self) {
      try await test.engine.enrollment.registerAndEnroll(AccountReference(objectID: id))
    }
    expectEqual(error?.rejection, .alreadyRegistered(.first))
    expectEqual(test.engine.enrollment.registeredAccounts.map(\.account), [.first])
    try await expectEqual(Self.checkIn(test, ServiceDeliveries(reference: both)), [])
  }

  @Test("An id that another account has stays with that")
  func knownIdentity() async throws {
    let id = try #require(GUID("11111111-2222-3333-4444-555555555555"))
    let test = try TestEngine()
    try await test.engine.launch(ProcessStart())
    try await test.engine.send(.registerAndEnroll(AccountReference(objectID: id)))
    try await test.engine.send(.registerAndEnroll(Self.alice))
    test.app.answers.withLock {
      $0.deliveries = ServiceDeliveries(
        reference: AccountReference(objectID: id, userPrincipalName: "alice@contoso.com"))
    }
    try await test.engine.run()
    let accounts = test.engine.state.accounts
    expectEqual(accounts.records.map(\.objectID), [id, nil])
    expectEqual(accounts.records.map(\.userPrincipalName), [nil, "alice@contoso.com"])
  }

  @Test(
    "A user who was renamed gets the new name if the app agrees, and no name of another account",
    arguments: [true, false])
  func rename(agrees: Bool) async throws {
    let id = try #require(GUID("11111111-2222-3333-4444-555555555555"))
    let test = try await Self.enrolled(ServiceDeliveries(reference: AccountReference(objectID: id)))
    test.app.answers.withLock { $0.agreesToNames = agrees }
    let renamed = ServiceDeliveries(
      reference: AccountReference(objectID: id, userPrincipalName: "alice.smith@contoso.com"))
    try await expectEqual(Self.checkIn(test, renamed), agrees ? ["account.identified"] : [])
    let name = agrees ? "alice.smith@contoso.com" : "alice@contoso.com"
    expectEqual(test.engine.state.accounts[.first]?.userPrincipalName, name)
    // The name of an account that is signed in stays with that.
    test.app.answers.withLock { $0.deliveries = ServiceDeliveries() }
    try await test.engine.send(.registerAndEnroll(AccountReference("bob@contoso.com")))
    try await test.engine.run()
    let taken = ServiceDeliveries(reference: AccountReference(objectID: id, userPrincipalName: "Bob@contoso.com"))
    test.app.answers.withLock { $0.deliveries = taken }
    try await test.engine.send(.requestCheckIn(AccountReference(.first)))
    try await test.engine.run()
    expectEqual(test.engine.state.accounts[.first]?.userPrincipalName, name)
  }

  @Test("A person who is enrolled and signs in under another name is not enrolled twice (208)")
  func secondName() async throws {
    let id = try #require(GUID("11111111-2222-3333-4444-555555555555"))
    let both = AccountReference(objectID: id, userPrincipalName: "alice.smith@contoso.com")
    let test = try await Self.enrolled(ServiceDeliveries(reference: both))
    try await test.engine.send(.registerAndEnroll(AccountReference("alice.smith@contoso.com")))
    try await test.engine.run()
    let second = try #require(test.engine.state.accounts.records.last)
    #expect(second.enrollment.lastCode == .alreadyEnrolled && !second.enrollment.status.isEnrolled)
    expectEqual(second.enrollment.lastError, "this is alice@contoso.com under another name")
    expectEqual(test.app.log.last, "enrollmentRequest a2 208")
    expectEqual(test.engine.enrollment.enrolledAccounts.map(\.account), [.first])
  }

  @Test("Only changes are recorded: nil keeps what the app has, and an empty list withdraws it")
  func changes() async throws {
    let status = ServiceUserStatus(clockStatus: .clockedIn)
    let test = try await Self.enrolled(ServiceDeliveries(configuration: [Self.entry], user: status))
    try await expectEqual(Self.checkIn(test, ServiceDeliveries(configuration: [Self.entry], user: status)), [])
    try await expectEqual(Self.checkIn(test, ServiceDeliveries()), [])
    try await expectEqual(Self.checkIn(test, ServiceDeliveries(user: .init())), [])
    try await expectEqual(Self.checkIn(test, ServiceDeliveries(configuration: [])), ["configuration.withdrawn"])
    try await expectEqual(Self.checkIn(test, ServiceDeliveries(user: .init(isDisabled: true))), ["userStatus.received"])
    expectEqual(test.engine.state.launch.accounts[.first]?.clockStatus, .clockedIn)
  }

  @Test("A delivery that the rules refuse does not stop the others")
  func refusal() async throws {
    let key = String(repeating: "k", count: ConfigurationValue.maximumLength + 1)
    let test = try await Self.enrolled(
      ServiceDeliveries(
        configuration: [ConfigurationEntry([ConfigurationValue(key, "")])], user: .init(isDisabled: true)))
    try expectEqual(test.types.suffix(2), ["enrollment.succeeded", "userStatus.received"])
  }

  @Test("The service is not asked for an account that is not enrolled")
  func notEnrolled() async throws {
    let test = try TestEngine()
    test.app.answers.withLock { $0.enrollment = [.failure(ServiceFailure(.accountNotLicensed))] }
    try await test.engine.launch(ProcessStart(), settings: AppSettings())
    try await test.engine.send(.registerAndEnroll(Self.alice))
    try await test.engine.run()
    expectEqual(test.app.answers.withLock { $0.deliveryCount }, 0)
  }
}
