import Expectations
import AppProtection
import EventSourcing
import Forensics
import Testing

@Suite("Headlines of events")
struct EventHeadlineTests {
  private static var failed: AppProtectionEvent {
    var event = EnrollmentFailed.blank
    event.code = .singleManagedAccountMode
    return .enrollmentFailed(event)
  }

  private static func line(_ event: AppProtectionEvent, _ changes: [(String, StateValue, StateValue)]) -> String {
    func tree(_ value: (Int) -> StateValue) -> StateTree {
      // What is unset is not there: a record whose values all were has appeared.
      changes.indices.filter { value($0) != .unset }.reduce(.members([])) {
        merged($0, StateTree.components(of: changes[$1].0), value($1))
      }
    }
    let diff = StateDiff(from: tree { changes[$0].1 }, to: tree { changes[$0].2 })
    var bytes: [UInt8] = []
    let others = EventHeadline<AppProtectionMachine>(ValueText(.on)).append(event, changing: diff, to: &bytes)
    return String(decoding: bytes, as: UTF8.self) + (others.map { "  +\($0)" } ?? "")
  }

  private static func merged(_ tree: StateTree, _ names: [Substring], _ value: StateValue) -> StateTree {
    guard let name = names.first, case .members(var members) = tree else { return .value(value) }
    let inner = merged(tree.member(named: name) ?? .members([]), Array(names.dropFirst()), value)
    if let index = members.firstIndex(where: { $0.name == name }) {
      members[index].tree = inner
    } else {
      members.append(.init(String(name), inner))
    }
    return .members(members)
  }

  @Test("Changes that the words do not tell are counted, but neither clocks nor bookkeeping, and a new record once")
  func others() {
    let code = ("/accounts/a2/enrollment/lastCode", StateValue.unset, StateValue.integer(227))
    let retry = ("/wipes/a2/nextRetry", StateValue.unset, StateValue.time(1))
    let clock = ("/launch/clock/elapsed", StateValue.duration(1), StateValue.duration(2))
    let other = ("/compliance/a2/status", StateValue.name("a"), StateValue.name("b"))
    let text = "227 singleManagedAccountMode, not repeated"
    expectEqual(Self.line(Self.failed, [code, retry, clock]), text + "  +0")
    expectEqual(Self.line(Self.failed, [code, clock, other]), text + "  +1")
    let appeared = [
      ("/configuration/a2/x", StateValue.unset, StateValue.bool(true)),
      ("/configuration/a2/y", .unset, .bool(true)),
    ]
    expectEqual(Self.line(Self.failed, [code] + appeared), text + "  +1")
  }

  @Test("A log that uses one headline for all events says of each only its own")
  func reuse() {
    let headline = EventHeadline<AppProtectionMachine>(ValueText(.on))
    var bytes: [UInt8] = []
    _ = headline.append(Self.failed, changing: StateDiff(), to: &bytes)
    bytes.removeAll()
    expectEqual(headline.append(.launchWarned(.blank), changing: StateDiff(), to: &bytes), 0)
    expectEqual(String(decoding: bytes, as: UTF8.self), "the account has no policy; the user goes on without one")
  }

  @Test("What the service said is shown only where persons are")
  func redaction() {
    var event = CheckInFailed.blank
    event.code = .timeout
    event.error = "no answer for alice@contoso.com"
    for (redaction, text) in [
      (Redaction.on, "216 timeout: (withheld), not repeated"),
      (.revealing, "216 timeout: \"no answer for alice@contoso.com\", not repeated"),
    ] {
      var bytes: [UInt8] = []
      _ = EventHeadline<AppProtectionMachine>(ValueText(redaction))
        .append(.checkInFailed(event), changing: StateDiff(), to: &bytes)
      expectEqual(String(decoding: bytes, as: UTF8.self), text)
    }
  }
}
