import AppProtection
import FileProtection

/// Removes the files of wiped accounts from the app's container, and destroys their keys.
///
/// The files say whose they are, so nothing else needs to be kept; see ``/FileProtection/OwnedFiles`` for what is touched and
/// what is not.
public struct ContainerFiles: FileRemover {
  private let files: OwnedFiles
  private let protector: Protector
  private let state: @Sendable () -> AppProtectionState

  /// - Parameters:
  ///   - root: The app's container.
  ///   - protector: Finds the keys of accounts.
  ///   - state: The current state, such as the store's.
  public init(in root: String, protector: Protector, state: @escaping @Sendable () -> AppProtectionState) {
    files = OwnedFiles(in: root, protector: protector)
    self.protector = protector
    self.state = state
  }

  /// Destroys the account's key, which makes its files unreadable wherever they were copied to, and then removes its files.
  public func removeFiles(of account: AccountNumber) -> FileRemoval {
    let state = state()
    return FileRemoval(files.wipe(state.keyAccount(account), owners: state.names(of: state.accounts[account])))
  }

  /// Destroys the account's key.
  public func destroyKeys(of account: AccountNumber) -> Bool {
    let account = state().keyAccount(account)
    do throws(KeyStoreError) {
      try protector.keys.destroyKey(
        named: KeyName(scope: protector.scope, account: account.name), until: account.epoch)
      return true
    } catch {
      return false
    }
  }

  /// Removes what processes left that died while they made a file, and files whose key was destroyed meanwhile. Call it at
  /// launch.
  @discardableResult
  public func removeLeftovers() -> FileRemoval {
    #if POLICYJOURNAL_PLANTED_BUG
      // What a dead process left stays. Set by tools/app-crash-test --planted-bug, which must find it.
      return FileRemoval(count: 0)
    #else
      return FileRemoval(files.removeLeftovers())
    #endif
  }
}

extension FileRemoval {
  fileprivate init(_ removal: OwnedFiles.Removal) {
    self.init(count: UInt64(removal.count), failure: removal.failure)
  }
}
