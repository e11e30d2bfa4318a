/// An account as a key store knows it.
public struct KeyAccount: Hashable, Sendable {
  /// A name that stays the same as long as the account exists, such as its number in a journal. Names of people change, and
  /// a key under a former name would outlive a wipe.
  public var name: String
  /// What tells the time before a wipe from the time after it: a number that every wipe raises, such as that of the event
  /// that ordered the last one; 0 before the first. A process that does not know of a wipe yet gets no key any more.
  public var epoch: UInt64

  /// An account; an app that counts no wipes omits `epoch`.
  public init(_ name: String, epoch: UInt64 = 0) {
    self.name = name
    self.epoch = epoch
  }
}

/// The name of a key in the headers of what it encrypts. Says nothing about the key or its owner.
public struct KeyID: Hashable, Sendable, CustomStringConvertible {
  /// The length, 16 bytes.
  public static let byteCount = 16

  /// The 16 bytes.
  public let bytes: [UInt8]

  /// `nil` unless there are 16 bytes.
  public init?(bytes: some Collection<UInt8>) {
    guard bytes.count == Self.byteCount else { return nil }
    self.bytes = Array(bytes)
  }

  /// The bytes as hexadecimal digits.
  public var description: String {
    bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
  }
}

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
    /// The key may not be destroyed, because more than one account depends on it.
    case refused
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
