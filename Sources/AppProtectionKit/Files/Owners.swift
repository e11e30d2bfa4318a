import AppProtection
import EventSourcing
import FileProtection

/// Whose protected files and data are, by the state and the keys.
struct Owners {
  let state: AppProtectionState
  let protector: Protector

  /// - Parameter code: What fails where the state cannot be read now.
  init(
    _ state: () throws -> AppProtectionState, _ protector: Protector, orFailing code: DataProtectionStatusCode
  ) throws(DataProtectionError) {
    do { self.state = try state() } catch {
      throw DataProtectionError(
        code,
        ProtectionError(
          .stateUnavailable,
          "the state of the accounts cannot be read now, so it is unknown whether one is being wiped (\(error))",
          remedy: "Unlock the device, check the journal, and try again"))
    }
    self.protector = protector
  }

  /// How an account's files and data are protected now.
  func protection(for reference: AccountReference?) throws(DataProtectionError) -> Protection {
    try protection(for: reference, state.protect(.plain, for: account(reference)?.account))
  }

  /// The same, as a rule decided it.
  func protection(
    for reference: AccountReference?, _ decision: Decision<DataProtectionOutcome>
  ) throws(DataProtectionError) -> Protection {
    try checkNotWiping(reference)
    switch decision.outcome {
    case .failed(let code): throw DataProtectionError(code, decision.reason)
    case .encrypted: return try encrypted(for: reference)
    case .marked, .restored, .unchanged, .described: return marked(reference)
    }
  }

  /// The same for a file that an app writes itself. While no account is managed, one that the journal knows is named all the
  /// same, so that a wipe finds the file; `nil` for a plain one.
  func wish(of reference: AccountReference) throws(DataProtectionError) -> Protection? {
    do throws(DataProtectionError) { return try protection(for: reference) } catch {
      guard error.code == .applicationNotManaged else { throw error }
      return state.names(of: account(reference)).isEmpty ? nil : marked(reference)
    }
  }

  /// The owner's name in plain text. The key store remembers it, so that a wipe finds the file whatever the account is called by
  /// then; without the keys, it does as long as the account keeps the name.
  private func marked(_ reference: AccountReference?) -> Protection {
    if let account = account(reference) { try? RememberedNames(of: account.account, state, protector).remember() }
    return .marked(owner: name(reference) ?? "")
  }

  /// Encryption with an account's key, whatever the rules of data say.
  func encrypted(for reference: AccountReference?) throws(DataProtectionError) -> Protection {
    try checkNotWiping(reference)
    return .encrypted(owner: name(reference) ?? "", account: account(reference).map { state.keyAccount($0.account) })
  }

  /// What is made while an account is wiped would outlive the wipe, with a key that the wipe spares, or be lost with it.
  private func checkNotWiping(_ reference: AccountReference?) throws(DataProtectionError) {
    if account(reference)?.enrollment.status == .wiping { throw Self.wipePending }
  }

  static let wipePending = DataProtectionError(
    .failedToEncryptData,
    ProtectionError(
      .wipePending, "a wipe of the account is pending, so nothing is protected for it",
      remedy: "Wait until the wipe is done, and enroll the account again"))

  /// The last wipe of an account: tells a state in which one was ordered since from this one.
  func lastWipe(of reference: AccountReference?) -> UInt64? {
    account(reference).flatMap { state.wipes[$0.account]?.requestedBy }
  }

  /// The name that new files and data get: one by which the journal knows the account, or one that the reference has.
  /// Letter case never matters in either.
  func name(_ reference: AccountReference?) -> String? { names(reference).first }

  private func names(_ reference: AccountReference?) -> [String] {
    state.names(of: account(reference)) + AppProtectionState.names(reference?.objectID, reference?.userPrincipalName)
  }

  /// Whether a header names an account, or the name that a reference has if the account is not known here.
  func isOwner(_ reference: AccountReference?, of info: ProtectionInfo) throws(DataProtectionError) -> Bool {
    guard let owner = info.owner else { return !info.isEncrypted }
    if owner.isEmpty { return true }
    if case .account(let number) = try account(of: info) { return account(reference)?.account == number }
    return names(reference).contains(owner.lowercased())
  }

  /// The account that owns what is protected.
  ///
  /// A key of this app tells, whatever names the account had since. Another app's key proves that an app with the same key
  /// store wrote the name. A name in plain text proves nothing, and may be one that the account has no longer.
  func account(of info: ProtectionInfo) throws(DataProtectionError) -> LocationAccount {
    guard let owner = info.owner, let reference = AccountReference(owner) else { return .unknown }
    let named = state.locationAccount(for: reference)
    guard info.isEncrypted, let id = info.keyID else { return named == .unknown ? formerOwner(owner) : named }
    do throws(ProtectionError) {
      if case .account(let number) = named, try protector.isKey(id, of: state.keyAccount(number)) { return named }
      for account in state.accounts.records where try protector.isKey(id, of: state.keyAccount(account.account)) {
        return .account(account.account)
      }
    } catch {
      throw DataProtectionError(.failedToDecryptData, error)
    }
    return named
  }

  /// The account that had a name; none if the keys cannot be read now.
  private func formerOwner(_ name: String) -> LocationAccount {
    for account in state.accounts.records
    where (try? RememberedNames(of: account.account, state, protector).include(name)) == true {
      return .account(account.account)
    }
    return .unknown
  }

  /// What a header says, with the name that its owner has now.
  func current(_ info: ProtectionInfo) throws(DataProtectionError) -> ProtectionInfo {
    guard case .account(let number) = try account(of: info) else { return info }
    // In plain text, a name by which the journal knows the account stays as it was written.
    if !info.isEncrypted, state.locationAccount(for: info.owner.flatMap { AccountReference($0) }) != .unknown {
      return info
    }
    var info = info
    info.owner = name(AccountReference(number)) ?? info.owner
    return info
  }

  /// The owner of a file that comes from elsewhere: the holder of a key, or an account that is not managed here. Whatever a
  /// managed account owns is encrypted, so a name in plain text that claims to be one is not believed.
  func believed(_ info: ProtectionInfo?) throws(DataProtectionError) -> AccountReference? {
    guard let info, let owner = info.owner, !owner.isEmpty else { return nil }
    let account = try account(of: info)
    if case .account(let number) = account {
      return info.isEncrypted || !state.isManaged(number) ? AccountReference(number) : nil
    }
    return AccountReference(owner)
  }

  /// The party that a file or an item comes from.
  func sender(_ info: ProtectionInfo?) throws(DataProtectionError) -> DataParty {
    guard let info, info.isEncrypted else { return .unmanagedApp }
    return .managedApp(account(try believed(info))?.account)
  }

  /// Whether a file or an item may come in for an account.
  func admission(
    of info: ProtectionInfo?, as receiver: AccountReference?
  ) throws(DataProtectionError) -> Decision<ReceiveOutcome> {
    state.receive(from: try sender(info), as: account(receiver)?.account)
  }

  /// Whose it is once it has come in.
  func owner(of info: ProtectionInfo?, _ outcome: ReceiveOutcome) throws(DataProtectionError) -> AccountReference? {
    guard outcome == .allowedAsOrganizationData else { return try believed(info) }
    return state.settings.deviceAccount.map { AccountReference($0) }
  }

  private func account(_ reference: AccountReference?) -> Account? { reference.flatMap { state.account(for: $0) } }
}

extension AppProtectionState {
  /// The account as the key store knows it: its number never changes, and the event that ordered its last wipe tells what
  /// was before from what is after.
  func keyAccount(_ number: AccountNumber) -> KeyAccount {
    KeyAccount(String(number.rawValue), epoch: wipes[number]?.requestedBy ?? 0)
  }

  /// The names by which the journal knows an account, in lower case: its object id, and its user principal name.
  func names(of account: Account?) -> [String] { Self.names(account?.objectID, account?.userPrincipalName) }

  fileprivate static func names(_ objectID: GUID?, _ userPrincipalName: String?) -> [String] {
    [objectID?.description.lowercased(), userPrincipalName?.lowercased()].compactMap(\.self)
  }
}
