import Journal

/// Seals and opens what the files of one journal's spool hold.
///
/// Everything is sealed under the journal's own key, which is never destroyed, around the keys of the accounts: a process
/// without keys can make nothing that opens, and learns from no outcome which accounts there are.
struct SpoolSealing: Sendable {
  /// The most accounts whose keys seal one command.
  static let maximumAccountCount = 1024

  private let sealing: Sealing
  private let domain: String
  private let journal: JournalID

  init(_ sealing: Sealing, domain: String, journal: JournalID) {
    (self.sealing, self.domain, self.journal) = (sealing, domain, journal)
  }

  /// What opening a sealed part of a file gave.
  enum Opening: Equatable {
    /// The bytes, and the accounts whose keys sealed them.
    case bytes([UInt8], accounts: [UInt64])
    /// The key of one of the accounts was destroyed.
    case erased
    /// No key that is there opens them at this place.
    case changed
  }

  /// A part of a file, at one place of a spool and nowhere else.
  enum Part {
    /// A command, with the bytes of its payload that stand before it.
    case command(plain: [UInt8])
    /// The explanation of an outcome.
    case explanation

    /// Fields have other kinds.
    fileprivate var kind: UInt64 {
      switch self {
      case .command: 255
      case .explanation: 254
      }
    }

    fileprivate var bound: [UInt8] {
      switch self {
      case .command(let plain): plain
      case .explanation: []
      }
    }
  }

  /// Seals bytes under the keys of all accounts and the journal's own key, one around the other.
  func seal(
    _ bytes: [UInt8], _ part: Part, at place: SpoolPlace, for accounts: [UInt64]
  ) throws(SpoolError) -> [UInt8] {
    var bytes = bytes
    for account in accounts + [0] {
      let key: SealingKey?
      do throws(SealingError) { key = try sealing.keys.keyForSealing(account) } catch { throw .sealing(error) }
      guard let key else { throw .erased(account: account) }
      let nonce = sealing.randomBytes(SealingKey.nonceByteCount)
      guard nonce.count == SealingKey.nonceByteCount else { throw .sealing(.withoutRandomness) }
      bytes =
        SealedValue(
          sealing: bytes, for: account, use(of: part, place), key: layerKey(key, of: account), nonce: nonce
        ).bytes
    }
    return bytes
  }

  /// Opens what ``seal(_:_:at:for:)`` returned.
  func open(_ bytes: [UInt8], _ part: Part, at place: SpoolPlace) throws(SealingError) -> Opening {
    guard let value = value(bytes), value.account == 0, let own = try sealing.keys.key(of: 0),
      let inner = value.opened(with: layerKey(own, of: 0), use(of: part, place))
    else { return .changed }
    return try openLayers(inner, use(of: part, place)) { key, account in layerKey(key, of: account) }
  }

  /// Opens an explanation that an earlier version sealed, under the keys of the accounts alone or the journal's own key itself.
  func openEarlierExplanation(_ bytes: [UInt8], at place: SpoolPlace) throws(SealingError) -> [UInt8]? {
    let opening = try openLayers(bytes, use(of: .explanation, place)) { key, _ in key }
    guard case .bytes(let text, let accounts) = opening, !accounts.isEmpty else { return nil }
    return text
  }

  /// No message in wire format, and no text, begins as a sealed value does.
  private func openLayers(
    _ bytes: [UInt8], _ use: SealedValue.Use, _ layerKey: (SealingKey, UInt64) -> SealingKey
  ) throws(SealingError) -> Opening {
    var bytes = bytes
    var accounts: [UInt64] = []
    while let value = value(bytes) {
      guard accounts.count < Self.maximumAccountCount else { return .changed }
      guard let key = try sealing.keys.key(of: value.account) else { return .erased }
      guard let opened = value.opened(with: layerKey(key, value.account), use) else { return .changed }
      accounts.append(value.account)
      bytes = opened
    }
    return .bytes(bytes, accounts: accounts)
  }

  private func value(_ bytes: [UInt8]) -> SealedValue? {
    bytes.withUnsafeBytes { SealedValue.isSealed($0) ? SealedValue($0) : nil }
  }

  /// The journal's own key authenticates idempotency keys, so another one that is derived from it encrypts. A fork has its
  /// parent's key and another id, so it takes none of its parent's commands.
  private func layerKey(_ key: SealingKey, of account: UInt64) -> SealingKey {
    account == 0 ? key.derived(salt: journal.bytes, purpose: "policyjournal spool") : key
  }

  private func use(of part: Part, _ place: SpoolPlace) -> SealedValue.Use {
    SealedValue.Use(
      domain: "\(domain) spool \(place.session) \(place.number)", kind: part.kind, privacy: .account, bound: part.bound)
  }
}
