import EventSourcingKit
import FileProtection
import Limits

extension Operations {
  /// Large protected files beside libcrypto's AES-256-GCM on one processor: reading beside decrypting in memory, writing
  /// beside encrypting, writing and syncing the same amount.
  func protecting() -> [Operation] {
    let fixtures = fixtures
    let length = options.isQuick ? 32 << 20 : 256 << 20
    let piece = [UInt8](repeating: 7, count: 4 << 20)
    func write(_ path: String) throws {
      let file = try OneKey.protector.create(at: path, .encrypted(owner: "bench"))
      for _ in 0..<(length / piece.count) { try file.write(piece) }
      try file.close()
    }
    let reading = Operation(
      "protected-read", "read a protected file of \(length >> 20) MB", .bytes, goals: [.limit: 0.8]
    )
    .with(.protected) {
      try fixtures.withFreshPath { path in
        try write(path)
        let file = try OneKey.protector.open(path)
        var buffer = [UInt8](repeating: 0, count: piece.count)
        return try Sample.timing(length) {
          for _ in 0..<(length / piece.count) {
            _ = try buffer.withUnsafeMutableBytes { try file.read(into: $0) }
          }
        }
      }
    }
    .with(.limit) { try Sample.timing(length) { try Self.check(limits_seal(nil, UInt64(length), 1)) } }
    let writing = Operation(
      "protected-write", "write a protected file of \(length >> 20) MB, with its sync", .bytes, goals: [.limit: 0.8]
    )
    .with(.protected) { try fixtures.withFreshPath { path in try Sample.timing(length) { try write(path) } } }
    .with(.limit) {
      try fixtures.withFreshPath { path in
        try Sample.timing(length) { try Self.check(limits_seal(path, UInt64(length), 0)) }
      }
    }
    return [reading, writing]
  }

  /// A key store with one key.
  private struct OneKey: KeyStore {
    static let protector = Protector(keys: OneKey(), scope: "bench", randomBytes: { SystemRandom.bytes($0) })

    private var entry: KeyEntry? {
      SecretKey(bytes: [UInt8](repeating: 1, count: SecretKey.byteCount)).map { .key($0) }
    }

    func key(named name: KeyName) -> KeyEntry? { entry }
    func key(_ id: KeyID) -> KeyEntry? { entry }
    func makeKey(named name: KeyName, epoch: UInt64) -> KeyEntry { entry ?? .destroyed }
    func destroyKey(named name: KeyName, until epoch: UInt64?) {}
    func resetEpoch(of name: KeyName, to epoch: UInt64, makesKey: Bool) {}
    func keyIDs(named name: KeyName) -> Set<KeyID> { [] }
  }
}
