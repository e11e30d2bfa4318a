import AppProtection
import FileProtection

/// Removes the files of wiped accounts from the app's container, and destroys their keys.
///
/// The files say whose they are, so nothing else needs to be kept; see ``/FileProtection/OwnedFiles`` for what is touched and
/// what is not.
public struct ContainerFiles: FileRemover {
  private let files: OwnedFiles
  private let state: @Sendable () -> AppProtectionState

  /// - Parameters:
  ///   - root: The app's container.
  ///   - protector: Finds the keys of accounts.
  ///   - state: The current state, such as the store's.
  public init(in root: String, protector: Protector, state: @escaping @Sendable () -> AppProtectionState) {
    files = OwnedFiles(in: root, protector: protector)
    self.state = state
  }

  /// Destroys the account's key, which makes its files unreadable wherever they were copied to, and then removes its files.
  public func removeFiles(of account: AccountNumber) -> FileRemoval {
    let removal = files.wipe(OwnerName.all(of: state().accounts[account]))
    return FileRemoval(count: UInt64(removal.count), failure: removal.failure)
  }

  /// Removes what processes left that died while they protected or unprotected a file. Call it at launch.
  @discardableResult
  public func removeLeftovers() -> FileRemoval {
    let removal = files.removeLeftovers()
    return FileRemoval(count: UInt64(removal.count), failure: removal.failure)
  }
}
