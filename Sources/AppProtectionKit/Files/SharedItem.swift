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
    let owners = owners
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
    let owners = owners
    let source = try owners.sender(try header(of: item))
    return owners.state.receive(from: source, as: receiver.flatMap { owners.state.account(for: $0)?.account })
  }

  private func header(of item: SharedItem) throws(DataProtectionError) -> ProtectionInfo? {
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
