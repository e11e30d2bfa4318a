import Expectations
import EventSourcing
import Testing

@testable import AppProtection
@testable import AppProtectionInsight
@testable import AppProtectionTests

@Suite("Questions about what is waited for")
struct WaitingTests {
  @Test("A refresh cannot be forced: the answer is what the next check-in waits for")
  func forecast() throws {
    var app = try TestApp { $0.multiIdentity = true }
    expectEqual(app.state.checkInForecast(for: .a1), .afterRegistration)
    try app.run(.registerAndEnroll(.a))
    expectEqual(app.state.checkInForecast(for: .a1), .underWay(since: 5))
    try app.run(.answerEnrollment(.a, .policy(TestApp.policy())))
    let due = try #require(try app.enrollment(.a1).nextCheckIn)
    expectEqual(app.state.checkInForecast(for: .a1), .due(due))
    try app.run(.requestCheckIn(.a))
    guard case .underWay = app.state.checkInForecast(for: .a1) else {
      Issue.record("a check-in is under way")
      return
    }
    try app.run(.answerCheckIn(.a, .failure(.init(.authRequired))))
    expectEqual(app.state.checkInForecast(for: .a1), .afterSignIn)
    try app.run(.registerAndEnroll(.b), .answerEnrollment(.b, .failure(.init(.accountNotLicensed))))
    expectEqual(app.state.checkInForecast(for: .a2), .afterManagedAccount)
    try app.run(.requestWipe(.a, .administrator, .service))
    expectEqual(app.state.checkInForecast(for: .a1), .afterWipe)
  }

  @Test("Each wait for a check-in is told in a sentence that says what ends it")
  func forecastSentences() {
    let sentences: [(CheckInForecast, String)] = [
      (.due(0), "the next check-in is due at the end of the service's interval; the SDK has no call that forces it"),
      (.underWay(since: 7), "event 7 asked the service, which has not answered; nothing hurries it"),
      (.afterSignIn, "the service is asked when the user has signed in: ask for a token interactively"),
      (.afterManagedAccount, "the service is asked when the managed account has left: only one can be managed"),
      (.afterWipe, "the account is being wiped: the service is asked when it is registered again"),
      (.afterRegistration, "the service is not asked: register the account"),
    ]
    for (forecast, sentence) in sentences { expectEqual(forecast.description, sentence) }
  }

  @Test("A wipe that is pending for days waits for a check-in of an opened app, for the delegate, or for files")
  func wipes() throws {
    var app = try TestApp()
    try app.enroll(.a)
    let due = try #require(try app.enrollment(.a1).nextCheckIn)
    expectEqual(app.state.wipeDelivery(for: .a1), .notDelivered(.due(due)))
    #expect(
      app.state.wipeDelivery(for: .a1).description.hasPrefix("no wipe has arrived, and only a check-in brings one"))
    try app.run(.requestWipe(.a, .administrator, .service))
    let order = try #require(app.state.wipes[.a1]).requestedBy
    expectEqual(app.state.wipeDelivery(for: .a1), .awaitsDelegate(since: order))
    expectEqual(
      app.state.wipeDelivery(for: .a1).description,
      "the wipe of event \(order) waits for the app's delegate: open the app")
    try app.run(.answerWipe(.a, removedEverything: false))
    expectEqual(app.state.wipeDelivery(for: .a1), .removingFiles(nextRetry: nil))
    try app.run(.reportFilesLeft(.a, count: 1, error: "busy"))
    expectEqual(app.state.wipeDelivery(for: .a1), .removingFiles(nextRetry: app.now + 30 * TestApp.minute))
    expectEqual(
      app.state.wipeDelivery(for: .a1).description,
      "files are left, which are removed at the next launch, or when the user signs in")
    try app.restart()
    try app.run(.reportFilesRemoved(.a, count: 1))
    expectEqual(app.state.wipeDelivery(for: .a1), .done(orderedBy: order))
    expectEqual(
      app.state.wipeDelivery(for: .a1).description,
      "the wipe of event \(order) is done; the service hears of it and keeps the order four days")
    // A user's wipe is ordered again at every check-in until it is deleted.
    try app.run(.registerAndEnroll(.a))
    guard case .notDelivered = app.state.wipeDelivery(for: .a1) else {
      Issue.record("who came back has no wipe yet")
      return
    }
  }

  @Test("The service keeps a wipe for the days before an offline wipe and four, and a finished one for four")
  func retention() throws {
    for (text, days) in [("P90D", Int64(94)), ("P1D", 5), ("PT36H", 6), ("PT0S", 4)] {
      expectEqual(WipeDelivery.daysKept(offlineWipe: try PolicyDuration(text)), days, "\(text)")
    }
    expectEqual(WipeDelivery.daysKeptWhenDone, 4)
  }
}
