import Journal

/// What opening a sealed part of a spool's file gave.
enum SpoolOpening: Equatable {
  /// The bytes, and the accounts whose keys sealed them.
  case bytes([UInt8], accounts: [UInt64])
  /// The key of one of the accounts was destroyed.
  case erased
  /// A key is there, and does not open them.
  case changed
}

extension Sealing {
  /// The most accounts whose keys seal one command.
  static let maximumSpoolAccounts = 1024

  /// Seals bytes under the keys of all accounts, one around the other.
  func sealSpooled(_ bytes: [UInt8], for accounts: [UInt64], _ use: SealedValue.Use) throws(SpoolError) -> [UInt8] {
    var bytes = bytes
    for account in accounts {
      let key: SealingKey?
      do throws(SealingError) { key = try keys.keyForSealing(account) } catch { throw .sealing(error) }
      guard let key else { throw .erased(account: account) }
      let nonce = randomBytes(SealingKey.nonceByteCount)
      guard nonce.count == SealingKey.nonceByteCount else { throw .sealing(.withoutRandomness) }
      bytes = SealedValue(sealing: bytes, for: account, use, key: key, nonce: nonce).bytes
    }
    return bytes
  }

  /// Opens what ``sealSpooled(_:for:_:)`` returned. No message in wire format begins as a sealed value does.
  func openSpooled(_ bytes: [UInt8], _ use: SealedValue.Use) throws(SealingError) -> SpoolOpening {
    var bytes = bytes
    var accounts: [UInt64] = []
    while bytes.withUnsafeBytes({ SealedValue.isSealed($0) }) {
      guard accounts.count < Self.maximumSpoolAccounts else { return .changed }
      let value = bytes.withUnsafeBytes { SealedValue($0) }
      guard let key = try keys.key(of: value.account) else { return .erased }
      guard let opened = value.opened(with: key, use) else { return .changed }
      accounts.append(value.account)
      bytes = opened
    }
    return accounts.isEmpty ? .changed : .bytes(bytes, accounts: accounts)
  }
}

extension SealedValue.Use {
  /// A command, or its outcome, at one place of a spool and nowhere else. Fields have other kinds.
  static func spooled(_ place: SpoolPlace, isOutcome: Bool, in domain: String) -> SealedValue.Use {
    SealedValue.Use(
      domain: "\(domain) spool \(place.session) \(place.number)", kind: isOutcome ? 254 : 255, privacy: .account)
  }
}
