import FileProtection
import JournalSimulation
import Synchronization

/// A keychain that fails, or whose app dies, at chosen calls, and that remembers what it held when.
final class TestWrappingKeys: WrappingKeyStore {
  /// What happens at a call that changes the keys.
  enum Fault {
    case error
    case death
  }

  private struct State {
    var keys: [SecretKey]
    var history: [(position: Int, keys: [SecretKey])]
    var callCount = 0
    var fault: (call: Int, isAfter: Bool, fault: Fault)?
  }

  private let state: Mutex<State>
  private let fileSystem: RecordingFileSystem
  private let random: SeededBytes

  init(_ fileSystem: RecordingFileSystem, _ keys: [SecretKey]? = nil) {
    self.fileSystem = fileSystem
    // Never the keys that another keychain made.
    random = SeededBytes(seed: keys == nil ? 31 : 32)
    let keys = keys ?? [SecretKey(bytes: random(32))].compactMap(\.self)
    state = Mutex(State(keys: keys, history: [(fileSystem.position, keys)]))
  }

  var keys: [SecretKey] { state.withLock { $0.keys } }
  /// How many calls changed the keys.
  var callCount: Int { state.withLock { $0.callCount } }

  /// What it may have held when the power was cut after so many operations of the file system.
  func keys(at position: Int) -> [[SecretKey]] {
    state.withLock { state in
      state.history.indices.filter { index in
        state.history[index].position <= position
          && (index + 1 == state.history.count || position <= state.history[index + 1].position)
      }.map { state.history[$0].keys }
    }
  }

  /// Lets a call go wrong, counted from now, before or after it had its effect.
  func plan(atCall call: Int, isAfter: Bool, _ fault: Fault) {
    state.withLock { $0.fault = ($0.callCount + call, isAfter, fault) }
  }

  func wrappingKeys() -> [SecretKey] { keys }

  func prepareWrappingKey() throws(KeyStoreError) -> SecretKey {
    guard let key = SecretKey(bytes: random(32)) else { throw Self.failure }
    try change { $0 = Array($0.prefix(1)) + [key] }
    return key
  }

  func commitWrappingKey() throws(KeyStoreError) {
    try change { if $0.count > 1 { $0.removeFirst() } }
  }

  private func change(_ body: (inout [SecretKey]) -> Void) throws(KeyStoreError) {
    let isFailing = state.withLock { state in
      state.callCount += 1
      let fault = state.fault?.call == state.callCount ? state.fault : nil
      if fault?.isAfter != false {
        body(&state.keys)
        state.history.append((fileSystem.position, state.keys))
      }
      if case .death? = fault?.fault { fileSystem.setPlan(FaultPlan(at: fileSystem.calls.count + 1, .death)) }
      return fault != nil
    }
    if isFailing { throw Self.failure }
  }

  static let failure = KeyStoreError(.unavailable, "the keychain failed", remedy: "Try again")
}
