import AppProtection
import EventSourcing
import Limits

extension Operations {
  /// What an app asks on its main thread.
  func decisions() -> [Operation] {
    let calls = options.isQuick ? 10_000 : 1_000_000
    return [
      Operation("decision", "saveTo in a state", .time, limit: 50e-9).with(.store) { [fixtures] in
        let state = try Self.state(fixtures)
        return Sample.timing(calls) { Self.askToSave(calls) { $0(state) } }
      },
      Operation("decision-open", "openFrom in a state", .time, limit: 50e-9).with(.store) { [fixtures] in
        let state = try Self.state(fixtures)
        return Sample.timing(calls) { Self.askToOpen(calls) { $0(state) } }
      },
      Operation("decision-paste", "the clipboard in a state", .time, limit: 50e-9).with(.store) { [fixtures] in
        let state = try Self.state(fixtures)
        return Sample.timing(calls) { Self.askToPaste(calls) { $0(state) } }
      },
      Operation("decision-url", "URLs in a state", .time, limit: 500e-9).with(.store) { [fixtures] in
        let state = try Self.state(fixtures)
        return Sample.timing(calls) { Self.askToOpenURLs(calls) { $0(state) } }
      },
      Operation("decision-store", "saveTo in the store's current state", .time, limit: 50e-9).with(.store) {
        [fixtures] in
        let store = try EventStore<AppProtectionMachine>.open(at: try fixtures.policies(3 * Fixtures.tail))
        defer { try? store.close() }
        return Sample.timing(calls) { Self.askToSave(calls) { store.withState($0) } }
      },
      Operation("decision-allocations", "allocations of all decisions in the store's current state", .number, limit: 0)
        .with(.store) { [fixtures] in
          let store = try EventStore<AppProtectionMachine>.open(at: try fixtures.policies(3 * Fixtures.tail))
          defer { try? store.close() }
          func ask(_ calls: Int) {
            Self.askToSave(calls) { store.withState($0) }
            Self.askToOpen(calls) { store.withState($0) }
            Self.askToPaste(calls) { store.withState($0) }
            Self.askToOpenURLs(calls) { store.withState($0) }
            Self.askTheRest(calls) { store.withState($0) }
          }
          // Constants are made when they are first used.
          ask(1)
          let before = allocations_count()
          ask(0)
          let preparation = allocations_count() - before
          ask(1000)
          return .count(Double(Int(allocations_count()) - Int(before) - 2 * Int(preparation)) / 23_000)
        },
    ]
  }

  private static func state(_ fixtures: Fixtures) throws -> AppProtectionState {
    try History<AppProtectionMachine>(at: try fixtures.policies(3 * Fixtures.tail)).state(at: .end).state
  }

  static let accounts: [AccountNumber?] = [nil] + (1...3).map { AccountNumber(UInt32($0)) }

  /// Asks about every location for every pair of three accounts and nobody, one after the other.
  @inline(never)
  static func askToSave(_ calls: Int, _ withState: ((borrowing AppProtectionState) -> Void) -> Void) {
    let accounts = accounts
    let locations = SaveLocation.allCases
    var allowed = 0
    for index in 0..<calls {
      withState {
        let decision = $0.saveTo(
          locations[index % locations.count], account: accounts[index / 8 % 4], owner: accounts[index / 32 % 4])
        if decision.isAllowed { allowed += 1 }
      }
    }
    // The answers are used, so that all of them are computed.
    precondition(allowed <= calls, "more answers than questions")
  }

  /// The same questions about opening.
  @inline(never)
  static func askToOpen(_ calls: Int, _ withState: ((borrowing AppProtectionState) -> Void) -> Void) {
    let accounts = accounts
    let locations = OpenLocation.allCases
    var allowed = 0
    for index in 0..<calls {
      withState {
        let decision = $0.openFrom(
          locations[index % locations.count], account: accounts[index / 8 % 4], receiver: accounts[index / 32 % 4])
        if decision.isAllowed { allowed += 1 }
      }
    }
    precondition(allowed <= calls, "more answers than questions")
  }
}
