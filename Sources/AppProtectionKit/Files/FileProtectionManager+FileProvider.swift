import AppProtection
import FileProtection

/// What a file provider says of a file or a folder that it lists: whose it is. The extension of the system copies it into its
/// own items and enumerators.
public struct FileProviderItem: Equatable, Sendable {
  /// The file's path.
  public var path: String
  /// The owner's name; `nil` for none, or one whose key is not here.
  public var owner: String?
  /// Whether the file is encrypted where it is.
  public var isEncrypted: Bool
}

/// A file that came in.
public struct ReceivedFile: Equatable, Sendable {
  /// The outcome, with the rule that settled it.
  public var decision: Decision<ReceiveOutcome>
  /// The owner that the file has from now on; `nil` if it has none, or was refused.
  public var owner: String?
}

extension FileProtectionManager {
  /// The item for a file: stamped with the file's owner, or with the account that the provider works for.
  ///
  /// The owner of an encrypted file is certain. A name in plain text is not, and counts only where no managed account claims
  /// to be the owner by it: what a managed account owns is encrypted.
  public func item(
    for path: String, of account: AccountReference? = nil
  ) throws(DataProtectionError) -> FileProviderItem {
    let owners = try owners(orFailing: .failedToDecryptData)
    let info = try header(path)
    let isEncrypted = info?.isEncrypted ?? false
    let owner = try owners.believed(info) ?? (isEncrypted ? nil : account)
    return FileProviderItem(path: path, owner: owners.name(owner), isEncrypted: isEncrypted)
  }

  /// The items of an enumerator, all stamped in the same way.
  public func items(
    for paths: [String], of account: AccountReference? = nil
  ) throws(DataProtectionError) -> [FileProviderItem] {
    var items: [FileProviderItem] = []
    for path in paths { items.append(try item(for: path, of: account)) }
    return items
  }

  /// Writes the copy of a file that a provider hands out, and leaves the original as it is: encrypted if a policy asks for
  /// that (`shouldFileProviderEncryptFiles`), plain otherwise.
  ///
  /// The policy is that of the file's owner, or of the account that the provider works for. A file that is not encrypted may
  /// name anyone as its owner, so both are asked about it.
  ///
  /// - Parameters:
  ///   - path: The file.
  ///   - copy: The copy's path.
  ///   - account: The account that the provider works for.
  ///   - required: Pass `encrypted` for a file that was encrypted once: a forged one would become authentic in the copy.
  /// - Returns: The decision, with its rule.
  /// - Throws: ``DataProtectionError`` with code 104 for a file that is not encrypted where that is required, and 102 and 103.
  @discardableResult
  public func handOut(
    _ path: String, to copy: String, for account: AccountReference?, requiring required: RequiredProtection = .any
  ) throws(DataProtectionError) -> Decision<EncryptionDemand> {
    let owners = try owners(orFailing: .failedToEncryptData)
    let info = try header(path)
    if let info { try checkReadable(info, owners) }
    let owner = try owners.believed(info)
    var asked = owner ?? account
    var decision = encryptionDemand(for: asked, owners.state)
    if info?.isEncrypted != true, decision.outcome == .notRequired, let account {
      (asked, decision) = (account, encryptionDemand(for: account, owners.state))
    }
    let isSame: (ProtectionInfo) -> Bool = { $0 == info ?? .plain }
    switch decision.outcome {
    case .required:
      let protection = try owners.encrypted(for: asked)
      do throws(ProtectionError) {
        try protector.copy(path, to: copy, protection, requiring: required, ifOwned: isSame)
      } catch {
        throw error.code == .notEncrypted
          ? DataProtectionError(decrypting: error) : DataProtectionError(.failedToEncryptData, error)
      }
    case .notRequired:
      try decrypting { () throws(ProtectionError) in
        try protector.copyUnprotected(path, to: copy, requiring: required, ifOwned: isSame)
      }
    }
    return decision
  }

  private func encryptionDemand(
    for account: AccountReference?, _ state: AppProtectionState
  ) -> Decision<EncryptionDemand> {
    state.fileProviderEncryption(for: account.flatMap { state.account(for: $0)?.account })
  }

  /// Takes in a file that another app shared, if the rules let it in (`canReceiveSharedFile`): it keeps its sender as its owner.
  ///
  /// Only encryption proves a sender: the file is then that of the account whose key opens it. A file that merely names a
  /// managed account comes from an app without a policy, and has no owner.
  ///
  /// - Parameters:
  ///   - path: The file that came in. It stays as it is.
  ///   - target: Where the app keeps it.
  ///   - receiver: The account that the app acts for; `nil` for none.
  ///   - isKeptPlain: Whether the app keeps originals plain, as a file provider does; it then stamps its items with the owner
  ///     that is returned.
  /// - Returns: The decision and the owner. Nothing is written if the file was refused, or if the app must be asked first.
  public func receive(
    _ path: String, to target: String, as receiver: AccountReference?, isKeptPlain: Bool = false
  ) throws(DataProtectionError) -> ReceivedFile {
    let owners = try owners(orFailing: .failedToEncryptData)
    let info = try header(path)
    let decision = try owners.admission(of: info, as: receiver)
    guard decision.outcome.isTaken else { return ReceivedFile(decision: decision, owner: nil) }
    let owner = try owners.owner(of: info, decision.outcome)
    if let info { try checkReadable(info, owners) }
    // The file that was judged, and not one that took its place.
    let isSame: (ProtectionInfo) -> Bool = { $0 == info ?? .plain }
    if isKeptPlain || owner == nil {
      try decrypting { () throws(ProtectionError) in
        try protector.copyUnprotected(path, to: target, ifOwned: isSame)
      }
    } else {
      let protection = try owners.protection(for: owner)
      try marking(target, for: owner, since: owners) { () throws(DataProtectionError) in
        try encrypting { () throws(ProtectionError) in
          try protector.copy(path, to: target, protection, ifOwned: isSame)
        }
      }
    }
    return ReceivedFile(decision: decision, owner: owners.name(owner))
  }
}
