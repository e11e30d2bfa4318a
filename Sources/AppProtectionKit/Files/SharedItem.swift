import AppProtection
import FileProtection

/// What another app shares, once it is loaded: what `loadItem(forTypeIdentifier:)` of an item provider calls back with.
///
/// Item providers are Apple's; a share extension turns what it loaded into one of these.
public enum SharedItem: Equatable, Sendable {
  /// A file, by its path.
  case file(String)
  /// Data, such as a picture.
  case data([UInt8])
  /// A text.
  case text(String)
}

extension DataProtectionManager {
  /// Whose a shared item is, and whether it is encrypted (`protectionInfoForItemProvider:`); `nil` if it does not say.
  ///
  /// The owner of an encrypted item is certain; one that is named in plain text is anyone's claim. Store the item with the
  /// owner, and switch the identity before it is shown.
  ///
  /// - Throws: ``DataProtectionError`` with code 103 if the file cannot be read, or if the header is damaged.
  public func protectionInfo(for item: SharedItem) throws(DataProtectionError) -> ProtectionInfo? {
    let owners = try owners(orFailing: .failedToDecryptData)
    return try header(of: item).map { info throws(DataProtectionError) in try owners.current(info) }
  }

  /// Whether a shared item may come in (`canReceiveSharedItemProvider:`).
  ///
  /// Only encryption proves a sender. An item that merely names a managed account comes from an app without a policy.
  ///
  /// - Parameter receiver: The account that the app acts for; `nil` for none.
  public func canReceive(
    _ item: SharedItem, as receiver: AccountReference?
  ) throws(DataProtectionError) -> Decision<ReceiveOutcome> {
    let owners = try owners(orFailing: .failedToDecryptData)
    return try owners.admission(of: try header(of: item), as: receiver)
  }

  func header(of item: SharedItem) throws(DataProtectionError) -> ProtectionInfo? {
    do throws(ProtectionError) {
      switch item {
      case .file(let path): return try protector.info(path)
      case .data(let data): return try protector.info(data)
      case .text(let text): return try protector.info(text: text)
      }
    } catch {
      if error.code == .notProtected || error.code == .empty { return nil }
      throw DataProtectionError(.failedToDecryptData, error)
    }
  }
}

extension FileProtectionManager {
  /// Takes in a shared item as a file, if the rules let it in: it keeps its sender as its owner, as
  /// ``receive(_:to:as:isKeptPlain:)`` says. Data and texts that have no owner become the receiver's; the file is written as the
  /// owner's policy wants.
  ///
  /// - Parameters:
  ///   - item: The item, once it is loaded.
  ///   - target: Where the app keeps it.
  ///   - receiver: The account that the app acts for; `nil` for none.
  /// - Returns: The decision and the owner. Nothing is written if the item was refused, or if the app must be asked first.
  public func receive(
    _ item: SharedItem, to target: String, as receiver: AccountReference?
  ) throws(DataProtectionError) -> ReceivedFile {
    let data = DataProtectionManager(protector: protector, state: state)
    let contents: [UInt8]
    switch item {
    case .file(let path): return try receive(path, to: target, as: receiver)
    case .data(let bytes): contents = bytes
    case .text(let text): contents = ProtectedText.decoded(text) ?? Array(text.utf8)
    }
    let owners = try owners(orFailing: .failedToEncryptData)
    let info = try data.header(of: item)
    let decision = try owners.admission(of: info, as: receiver)
    guard decision.outcome.isTaken else { return ReceivedFile(decision: decision, owner: nil) }
    let owner = try owners.owner(of: info, decision.outcome) ?? receiver
    try write(contents.isEmpty ? [] : try data.unprotect(contents), to: target, for: owner)
    return ReceivedFile(decision: decision, owner: owners.name(owner))
  }
}

extension ReceiveOutcome {
  /// Whether the item is taken in.
  var isTaken: Bool {
    switch self {
    case .allowed, .allowedAsOrganizationData: true
    case .refused, .needsUnmanagedIdentity: false
    }
  }
}
