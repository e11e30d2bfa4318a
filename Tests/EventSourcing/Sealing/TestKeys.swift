import EventSourcing
import Synchronization

/// Keys in memory, and randomness from a seed.
final class TestKeys: SealingKeys {
  private struct Contents {
    var keys: [UInt64: SealingKey] = [:]
    var destroyed: Set<UInt64> = []
    var generator: SeededGenerator
    var fails = false
  }

  private let contents: Mutex<Contents>

  init(seed: UInt64 = 1) {
    contents = Mutex(Contents(generator: SeededGenerator(seed: seed)))
  }

  var sealing: Sealing { Sealing(keys: self) { self.randomBytes($0) } }

  private func randomBytes(_ count: Int) -> [UInt8] {
    contents.withLock { contents in
      (0..<count).map { _ in UInt8(truncatingIfNeeded: contents.generator.next() >> 32) }
    }
  }

  static let error = SealingError("the keys cannot be read", remedy: "Unlock the device.")

  func key(of account: UInt64) throws(SealingError) -> SealingKey? {
    if contents.withLock({ $0.fails }) { throw Self.error }
    return contents.withLock { $0.keys[account] }
  }

  func keyForSealing(_ account: UInt64) throws(SealingError) -> SealingKey? {
    if let key = try key(of: account) { return key }
    guard !contents.withLock({ $0.destroyed.contains(account) }) else { return nil }
    let key = SealingKey(bytes: randomBytes(SealingKey.byteCount))
    contents.withLock { $0.keys[account] = key }
    return key
  }

  func destroy(_ account: UInt64) {
    contents.withLock {
      $0.keys[account] = nil
      $0.destroyed.insert(account)
    }
  }

  /// As if an account's key had not been destroyed; another one is made where it is needed.
  func revive(_ account: UInt64) { _ = contents.withLock { $0.destroyed.remove(account) } }

  func fail(_ fails: Bool) { contents.withLock { $0.fails = fails } }
}
