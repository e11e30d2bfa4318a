import AppProtection
import FileProtection

/// Protects data that an app keeps or hands over in other ways than as files (`IntuneMAMDataProtectionManager`).
///
/// ```swift
/// let manager = DataProtectionManager(protector: protector) { engine.state }
/// let protected = try manager.protect(data, for: alice)
/// try manager.unprotect(protected) == data
/// ```
///
/// Data of a managed account is encrypted with the account's key; that of an unmanaged one only names its owner. The rules are
/// those of the state (`protect`, `unprotect` and `protectionInfo` in `AppProtectionState`), and nothing is written to the
/// journal. May be used on any thread.
public struct DataProtectionManager: Sendable {
  let protector: Protector
  private let state: @Sendable () throws -> AppProtectionState

  /// - Parameters:
  ///   - protector: Encrypts, with the keys of the accounts.
  ///   - state: The current state, such as the engine's. Where it throws, so do all calls, with the cause `stateUnavailable`.
  public init(protector: Protector, state: @escaping @Sendable () throws -> AppProtectionState) {
    self.protector = protector
    self.state = state
  }

  /// Protects data for an account (`protect:identity:`); `nil` means for none.
  ///
  /// - Throws: ``DataProtectionError`` with code 100 (no account of the app is managed), 101 (no data), 102 (encrypting failed)
  ///   or 105 (empty).
  public func protect(_ data: [UInt8]?, for account: AccountReference?) throws(DataProtectionError) -> [UInt8] {
    let owners = try owners(orFailing: .failedToEncryptData)
    let form: DataForm = data.map { $0.isEmpty ? .empty : .plain } ?? .missing
    let decision = owners.state.protect(form, for: account.flatMap { owners.state.account(for: $0)?.account })
    let protection = try owners.protection(for: account, decision)
    do throws(ProtectionError) {
      return try protector.protect(data ?? [], protection)
    } catch {
      throw DataProtectionError(.failedToEncryptData, error)
    }
  }

  /// Protects a text for an account (`protectString:identity:`).
  public func protectString(_ text: String?, for account: AccountReference?) throws(DataProtectionError) -> String {
    ProtectedText.encoded(try protect(text.map { Array($0.utf8) }, for: account))
  }

  /// The data as it was before it was protected (`unprotect:`). Data that was never protected comes back unchanged.
  ///
  /// - Parameters:
  ///   - data: The data.
  ///   - required: Pass `encrypted` for data that was encrypted once.
  /// - Throws: ``DataProtectionError`` with code 101 (no data), 103 (decrypting failed, or its account is not managed here), 104
  ///   (not encrypted where that is required; its cause is then `notEncrypted`) or 105 (empty).
  public func unprotect(
    _ data: [UInt8]?, requiring required: RequiredProtection = .any
  ) throws(DataProtectionError) -> [UInt8] {
    let owners = try owners(orFailing: .failedToDecryptData)
    let form = try form(of: data, owners)
    if required == .encrypted { try checkEncrypted(form) }
    var opened = data ?? []
    var failure: ProtectionError?
    switch form {
    case .missing, .empty, .plain: break
    case .marked, .encrypted:
      do throws(ProtectionError) { opened = try protector.unprotect(opened) } catch { failure = error }
    }
    let decision = owners.state.unprotect(form, cipherFails: failure != nil)
    switch decision.outcome {
    case .failed(let code): throw DataProtectionError(code, decision.reason, cause: failure)
    case .restored, .unchanged, .encrypted, .marked, .described: return opened
    }
  }

  /// The text as it was before it was protected (`unprotectString:`). One that was never protected comes back unchanged.
  ///
  /// - Parameters:
  ///   - text: The text.
  ///   - required: Pass `encrypted` for a text that was encrypted once.
  public func unprotectString(
    _ text: String?, requiring required: RequiredProtection = .any
  ) throws(DataProtectionError) -> String {
    guard let text, let bytes = ProtectedText.decoded(text) else {
      return String(decoding: try unprotect(text.map { Array($0.utf8) }, requiring: required), as: UTF8.self)
    }
    guard let opened = String(validating: try unprotect(bytes, requiring: required), as: UTF8.self) else {
      throw DataProtectionError(.failedToDecryptData, "the protected data is not a text")
    }
    return opened
  }

  private func checkEncrypted(_ form: DataForm) throws(DataProtectionError) {
    switch form {
    case .missing, .empty, .encrypted: return
    case .plain: throw DataProtectionError(decrypting: .notEncrypted(isMarked: false))
    case .marked: throw DataProtectionError(decrypting: .notEncrypted(isMarked: true))
    }
  }

  /// Whose the data is, and whether it is encrypted (`protectionInfo:`). The owner is `nil` if its key is not here.
  ///
  /// - Throws: ``DataProtectionError`` with code 101 (no data), 104 (never protected) or 105 (empty).
  public func protectionInfo(_ data: [UInt8]?) throws(DataProtectionError) -> ProtectionInfo {
    let owners = try owners(orFailing: .failedToDecryptData)
    let decision = owners.state.protectionInfo(of: try form(of: data, owners))
    if case .failed(let code) = decision.outcome { throw DataProtectionError(code, decision.reason) }
    return try owners.current(try info(data ?? []))
  }

  /// The same for a text (`protectionInfoForString:`).
  public func protectionInfo(forString text: String?) throws(DataProtectionError) -> ProtectionInfo {
    try protectionInfo(text.map { ProtectedText.decoded($0) ?? Array($0.utf8) })
  }

  private func info(_ data: [UInt8]) throws(DataProtectionError) -> ProtectionInfo {
    do throws(ProtectionError) { return try protector.info(data) } catch {
      throw DataProtectionError(.failedToDecryptData, error)
    }
  }

  func owners(orFailing code: DataProtectionStatusCode) throws(DataProtectionError) -> Owners {
    try Owners(state, protector, orFailing: code)
  }

  private func form(of data: [UInt8]?, _ owners: Owners) throws(DataProtectionError) -> DataForm {
    guard let data else { return .missing }
    let info: ProtectionInfo
    do throws(ProtectionError) { info = try protector.info(data) } catch {
      if error.code == .empty { return .empty }
      if error.code == .notProtected { return .plain }
      throw DataProtectionError(.failedToDecryptData, error)
    }
    let owner = try owners.account(of: info)
    return info.isEncrypted ? .encrypted(owner) : .marked(owner)
  }
}
