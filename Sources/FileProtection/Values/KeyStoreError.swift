/// Why keys cannot be read or written now.
public struct KeyStoreError: Error, Hashable, Sendable, CustomStringConvertible {
  /// What kind of failure it is.
  public enum Code: Hashable, Sendable {
    /// The keys cannot be read or written now: the device is locked, the file system failed, or another process holds them.
    case unavailable
    /// The key file is missing, though it was created before.
    case missing
    /// The key file was changed or cut, or belongs to another wrapping key.
    case damaged
    /// The key file is of a version that this program does not know.
    case unsupportedFormat
    /// The key is destroyed, durably, but an old copy of it may remain on the device. Said once: the next call does not repeat it.
    case copyRemains
  }

  /// What kind of failure it is.
  public var code: Code
  /// What went wrong, in one sentence without a full stop.
  public var message: String
  /// What to do about it, in one sentence without a full stop.
  public var remedy: String

  /// Both texts are one sentence without a full stop.
  public init(_ code: Code, _ message: String, remedy: String) {
    self.code = code
    self.message = message
    self.remedy = remedy
  }

  /// ``message`` followed by ``remedy``.
  public var description: String { "\(message). \(remedy)." }

  static let library = KeyStoreError(
    .unavailable, "the library cannot encrypt, or the source of randomness failed",
    remedy: "Free memory, and check that libcrypto is complete")
}
