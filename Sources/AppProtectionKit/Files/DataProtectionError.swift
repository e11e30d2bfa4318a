import AppProtection
import FileProtection

/// Why a file or data was not protected or unprotected, with the SDK's code (100–105).
public struct DataProtectionError: Error, Equatable, Sendable, CustomStringConvertible {
  /// The code.
  public var code: DataProtectionStatusCode
  /// Why, in one sentence without a full stop.
  public var reason: String
  /// What failed below; `nil` if a rule refused it.
  public var cause: ProtectionError?

  /// Omit `cause` if a rule refused it.
  public init(_ code: DataProtectionStatusCode, _ reason: String, cause: ProtectionError? = nil) {
    self.code = code
    self.reason = reason
    self.cause = cause
  }

  init(_ code: DataProtectionStatusCode, _ cause: ProtectionError) {
    self.init(code, cause.message, cause: cause)
  }

  /// Why something could not be read.
  init(decrypting cause: ProtectionError) {
    self.init(cause.code == .notEncrypted ? .dataNotProtected : .failedToDecryptData, cause)
  }

  /// The code's number and name, the reason, and the cause.
  public var description: String {
    "\(code.rawValue) \(code.name): \(cause?.description ?? reason + ".")"
  }
}
