import AppProtection
import FileProtection

/// What a file provider says of a file or a folder that it lists: whose it is. The extension of the system copies it into its
/// own items and enumerators.
public struct FileProviderItem: Equatable, Sendable {
  /// The file's path.
  public var path: String
  /// The owner, as its header names it; `nil` for none, or one whose key is not here.
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
  public func item(
    for path: String, of account: AccountReference? = nil
  ) throws(DataProtectionError) -> FileProviderItem {
    let info = try protectionInfo(path)
    let owner = info == nil ? account.flatMap { OwnerName.of($0, in: state()) } : info?.owner
    return FileProviderItem(
      path: path, owner: owner.flatMap { $0.isEmpty ? nil : $0 }, isEncrypted: info?.isEncrypted ?? false)
  }

  /// The items of an enumerator, all stamped in the same way.
  public func items(
    for paths: [String], of account: AccountReference? = nil
  ) throws(DataProtectionError) -> [FileProviderItem] {
    var items: [FileProviderItem] = []
    for path in paths { items.append(try item(for: path, of: account)) }
    return items
  }

  /// Writes the copy of a file that a provider hands out, and leaves the original as it is: encrypted for the account if its
  /// policy asks for that (`shouldFileProviderEncryptFiles`), plain otherwise.
  ///
  /// - Parameter account: The account that the provider works for; used if the file has no owner of its own.
  /// - Returns: The decision, with its rule.
  @discardableResult
  public func handOut(
    _ path: String, to copy: String, for account: AccountReference?
  ) throws(DataProtectionError) -> Decision<EncryptionDemand> {
    try checkReadable(path)
    let state = state()
    let owner = try item(for: path, of: account).owner
    let number = owner.flatMap { AccountReference($0) }.flatMap { state.account(for: $0)?.account }
    let decision = state.fileProviderEncryption(for: number)
    switch decision.outcome {
    case .required:
      let protection = Protection.encrypted(owner: owner ?? "")
      try encrypting { () throws(ProtectionError) in try protector.copy(path, to: copy, protection) }
    case .notRequired:
      try decrypting { () throws(ProtectionError) in try protector.copyUnprotected(path, to: copy) }
    }
    return decision
  }

  /// Takes in a file that another app shared, if the rules let it in (`canReceiveSharedFile`): it keeps its sender as its owner.
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
    let state = state()
    let info = try protectionInfo(path)
    var owner = info?.owner.flatMap { $0.isEmpty ? nil : $0 }
    let sender = owner.map { OwnerName.account($0, in: state) }
    let source: DataParty =
      switch (sender, info?.isEncrypted ?? false) {
      case (.account(let number)?, _): .managedApp(number)
      case (_, true): .managedApp(nil)
      case (_, false): .unmanagedApp
      }
    let decision = state.receive(from: source, as: receiver.flatMap { state.account(for: $0)?.account })
    switch decision.outcome {
    case .refused, .needsUnmanagedIdentity: return ReceivedFile(decision: decision, owner: nil)
    case .allowed: break
    case .allowedAsOrganizationData:
      owner = state.settings.deviceAccount.flatMap { OwnerName.of(AccountReference($0), in: state) }
    }
    if info?.isEncrypted == true { try checkReadable(path) }
    if isKeptPlain || owner == nil {
      try decrypting { () throws(ProtectionError) in try protector.copyUnprotected(path, to: target) }
    } else {
      let protection = try protection(owner: owner ?? "", in: state)
      try encrypting { () throws(ProtectionError) in try protector.copy(path, to: target, protection) }
    }
    return ReceivedFile(decision: decision, owner: owner)
  }
}
