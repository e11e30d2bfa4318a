import Expectations
import Testing

@testable import AppProtection
@testable import EventSourcing

@Suite("States of many accounts")
struct LargeStateTests {
  /// Adds, changes or removes the records of one account in one slice.
  private func change(_ state: inout AppProtectionState, with random: inout RandomSequence) throws {
    let account = try #require(AccountNumber(UInt32(1 + random.next() % 60)))
    let number = random.next() % 1000
    let isGone = random.next() % 4 == 0
    switch random.next() % 7 {
    case 0 where isGone: state.accounts.remove(account)
    case 0: state.accounts.set(Account(account, objectID: nil, userPrincipalName: "ada\(number)@contoso.com"))
    case 1 where isGone: state.policies.remove(account)
    case 1:
      state.policies.set(
        PolicyRecord(
          account: account, document: PolicyDocument(), version: number, receivedBy: number, isEnforced: true))
    case 2 where isGone: state.wipes.remove(account)
    case 2:
      state.wipes.set(WipeRecord(account: account, reason: .unspecified, origin: .service, requestedBy: number))
    case 3 where isGone: state.compliance.accounts.remove(account)
    case 3:
      var record = RemediationRecord(account: account)
      record.requestedBy = number
      state.compliance.accounts.set(record)
    case 4 where isGone: state.configuration.accounts.remove(account)
    case 4:
      state.configuration.accounts.set(ConfigurationRecord(account: account, entries: [], receivedBy: number))
    case 5 where isGone: state.launch.accounts.remove(account)
    case 5:
      var record = LaunchRecord(account: account)
      record.evaluatedBy = number
      state.launch.accounts.set(record)
    default: state.compliance.queue = [account]
    }
  }

  @Test("The difference of two of them is that of their trees", arguments: 1...8 as ClosedRange<UInt64>)
  func differences(seed: UInt64) throws {
    var random = RandomSequence(seed: seed)
    var state = AppProtectionState()
    for _ in 0..<600 { try change(&state, with: &random) }
    let differ = StateDiffer()
    for step in 0..<40 {
      let before = state
      for _ in 0..<(step % 9) { try change(&state, with: &random) }
      if step % 2 == 1 { _ = (StateDigest(of: before), StateDigest(of: state)) }
      let expected = StateDiff(from: before.tree(), to: state.tree())
      expectEqual(differ.changes(from: before, to: state), expected, "seed \(seed), step \(step)")
    }
  }

  @Test(
    "A digest of the slices that were written is that of the whole state", arguments: 1...6 as ClosedRange<UInt64>,
    [.merkle, .canonical] as [StateDigest.Scheme])
  func marks(seed: UInt64, scheme: StateDigest.Scheme) throws {
    var random = RandomSequence(seed: seed)
    var state = AppProtectionState()
    var digester = StateDigester<AppProtectionState>()
    for step in 0..<300 {
      for _ in 0..<(random.next() % 3) { try change(&state, with: &random) }
      switch random.next() % 12 {
      case 0: state.process.startedBy = UInt64(step)
      case 1: state.settings.app.multiIdentity.toggle()
      case 2: state.identities.set(.window(UInt32(random.next() % 4)), to: .unmanaged)
      case 3: state.launch.pin.failures += 1
      // Digests under the other scheme, and of copies, in between.
      case 4: _ = digester.combined(following: &state, as: scheme == .merkle ? .canonical : .merkle)
      case 5: _ = digester.combined(of: state, as: scheme)
      case 6:
        var copy = state
        try change(&copy, with: &random)
        state = copy
      default: break
      }
      expectEqual(
        digester.combined(following: &state, as: scheme), StateDigest(of: state, as: scheme).combined,
        "seed \(seed), step \(step)")
    }
  }

  @Test("A written slice is marked, and no other; marks are no part of the state")
  func markedSlices() {
    let slices = AppProtectionState.sliceNames.indices
    var state = AppProtectionState()
    let new = state.takeChangedSlices()
    #expect(slices.allSatisfy { new?.contains($0) == true })
    for index in slices {
      state.copySlice(index, of: AppProtectionState())
      let written = state
      let changed = state.takeChangedSlices()
      #expect(slices.allSatisfy { changed?.contains($0) == ($0 == index) })
      expectEqual(state, written)
    }
  }

  @Test("A slice that is taken from another state is that of the other, and the rest stays")
  func takenSlices() throws {
    var random = RandomSequence(seed: 1)
    var state = AppProtectionState()
    for _ in 0..<600 { try change(&state, with: &random) }
    state.process.startedBy = 7
    state.settings.app.multiIdentity = true
    state.identities.process = .unmanaged
    let slices = AppProtectionState.sliceNames.indices
    for index in slices {
      var other = AppProtectionState()
      other.copySlice(index, of: state)
      #expect(other.slice(index, equals: state) && !other.slice(index, equals: AppProtectionState()))
      #expect(slices.allSatisfy { $0 == index || other.slice($0, equals: AppProtectionState()) })
    }
  }
}
