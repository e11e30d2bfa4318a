import AppProtection
import FileProtection
import Synchronization

/// Removes the files of wiped accounts from the app's container, and destroys their keys.
///
/// The files say whose they are, so nothing else needs to be kept; see ``/FileProtection/OwnedFiles`` for what is touched and
/// what is not.
public struct ContainerFiles: FileRemover {
  /// Tests move files while these are walked through.
  var files: OwnedFiles
  /// Where the app writes copies outside of the container.
  private let others: [OwnedFiles]
  private let root: String
  private let protector: Protector
  private let state: @Sendable () -> AppProtectionState
  private let unreported = UnreportedFailures()

  /// What ``destroyKeys(of:)`` and ``alignKeys(of:enrolls:)`` have no words for: ``removeFiles(of:)``, which follows, reports it.
  private final class UnreportedFailures: Sendable {
    let reasons = Mutex<[AccountNumber: String]>([:])
  }

  /// - Parameters:
  ///   - root: The app's container.
  ///   - protector: Finds the keys of accounts.
  ///   - copies: The folders outside of the container into which the app writes copies, such as a file provider's or the
  ///     temporary one. There, only what a dead process left unfinished is removed, which may be decrypted.
  ///   - state: The current state, such as the store's.
  public init(
    in root: String, protector: Protector, copies: [String] = [], state: @escaping @Sendable () -> AppProtectionState
  ) {
    self.root = root
    files = OwnedFiles(in: root, protector: protector)
    others = copies.map { OwnedFiles(in: $0, protector: protector) }
    self.protector = protector
    self.state = state
  }

  /// Destroys the account's key, which makes its files unreadable wherever they were copied to, and then removes its files.
  public func removeFiles(of account: AccountNumber) -> FileRemoval {
    let state = state()
    let names = RememberedNames(of: account, state, protector)
    let tally = WipeTally(of: account, wipe: state.wipes[account]?.requestedBy ?? 0, in: root)
    let earlier = tally?.count ?? 0
    var files = files
    files.didRemove = { _ in tally?.add() }
    var removal = files.wipe(state.keyAccount(account), owners: state.names(of: state.accounts[account])) {
      (owner) throws(KeyStoreError) in
      // A name that another account has by now is that one's.
      guard AccountReference(owner).flatMap({ state.account(for: $0) }) == nil else { return false }
      return try names.include(owner)
    }
    let before = unreported.reasons.withLock { $0.removeValue(forKey: account) }
    removal.failure = removal.failure ?? before
    var result = FileRemoval(removal)
    result.earlier = earlier
    return result
  }

  /// Destroys the account's key. If an old copy of it may remain, ``removeFiles(of:)`` says so.
  public func destroyKeys(of account: AccountNumber) -> Bool {
    let known = state().keyAccount(account)
    do throws(KeyStoreError) {
      try protector.keys.destroyKey(named: protector.name(of: known), until: known.epoch)
      return true
    } catch {
      if error.code == .copyRemains { report(error, of: account) }
      return false
    }
  }

  private func report(_ error: KeyStoreError, of account: AccountNumber) {
    unreported.reasons.withLock { $0[account] = "the account's key: \(error)" }
  }

  /// Takes up a key that a lost part of the journal made and, for an account that enrolls, makes one where a wipe in that part
  /// destroyed the last one. Until then nothing is encrypted for such an account.
  ///
  /// Where the lost part gave the account's number to another person, that person's key is destroyed, and not handed on: names that
  /// the key store remembers tell.
  ///
  /// If the keys cannot be read now, the next launch or enrollment does this.
  public func alignKeys(of account: AccountNumber, enrolls: Bool) {
    let state = state()
    let known = state.keyAccount(account)
    let names = RememberedNames(of: account, state, protector)
    // A wipe that is still to be done destroys keys of earlier epochs than its own.
    let isWiping = state.accounts[account]?.enrollment.status == .wiping
    do throws(KeyStoreError) {
      if try names.haveForeignKey() {
        do throws(KeyStoreError) {
          try protector.keys.destroyKey(named: protector.name(of: known), until: .max)
        } catch {
          // The key is destroyed all the same.
          guard error.code == .copyRemains else { throw error }
          report(error, of: account)
        }
        try names.begin()
      } else {
        try names.remember()
      }
      try protector.keys.resetEpoch(
        of: protector.name(of: known), to: isWiping && known.epoch > 0 ? known.epoch - 1 : known.epoch,
        makesKey: enrolls)
    } catch {}
  }

  /// Removes what processes left that died while they made a file, and files whose key was destroyed meanwhile, which a wipe that
  /// is under way counts. Call it at launch.
  @discardableResult
  public func removeLeftovers() -> FileRemoval {
    #if POLICYJOURNAL_PLANTED_BUG
      // What a dead process left stays. Set by tools/app-crash-test --planted-bug, which must find it.
      return FileRemoval(count: 0)
    #else
      let state = state()
      WipeTally.removeOld(in: root, state)
      // What a wipe under way has not come to, because its process died once the key was destroyed.
      let wipes = state.wipes.records.filter { $0.phase != .completed }.map { wipe in
        let name = protector.name(of: state.keyAccount(wipe.account))
        return (
          keys: (try? protector.keys.keyIDs(named: name)) ?? [],
          tally: WipeTally(of: wipe.account, wipe: wipe.requestedBy, in: root)
        )
      }
      var files = files
      files.didRemove = { id in
        if let id { wipes.first { $0.keys.contains(id) }?.tally?.add() }
      }
      var removal = files.removeLeftovers()
      for folder in others {
        let other = folder.removeUnfinished()
        removal.count += other.count
        removal.failure = removal.failure ?? other.failure
      }
      return FileRemoval(removal)
    #endif
  }
}

extension FileRemoval {
  fileprivate init(_ removal: OwnedFiles.Removal) {
    self.init(count: UInt64(removal.count), failure: removal.failure)
  }
}
