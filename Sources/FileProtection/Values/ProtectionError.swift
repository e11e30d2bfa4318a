import Journal

/// Why a protected file or protected data cannot be used: the reason, the place, and the remedy.
public struct ProtectionError: Error, Equatable, Sendable, CustomStringConvertible {
  /// What kind of failure it is. Open: later versions may add codes.
  public struct Code: Hashable, Sendable, CustomStringConvertible {
    /// The code's stable name, such as `oldChunk`.
    public let name: String

    /// Creates a code; use the static members.
    public init(_ name: String) {
      self.name = name
    }

    /// The code's name.
    public var description: String { name }

    /// The file or the data has no header of this format.
    public static let notProtected = Code("notProtected")
    /// The file or the data is empty.
    public static let empty = Code("empty")
    /// It is not encrypted, and its reader requires that it is.
    public static let notEncrypted = Code("notEncrypted")
    /// The format is of a version that this program does not know.
    public static let unsupportedFormat = Code("unsupportedFormat")
    /// Neither header is as the key's holder wrote it.
    public static let tamperedHeader = Code("tamperedHeader")
    /// The file or the data ends before its contents do.
    public static let truncated = Code("truncated")
    /// A chunk is not as the key's holder wrote it.
    public static let tamperedChunk = Code("tamperedChunk")
    /// Protected data is not as the key's holder wrote it.
    public static let tamperedData = Code("tamperedData")
    /// A chunk of this file stands in the place of another one.
    public static let swappedChunk = Code("swappedChunk")
    /// An older write of a chunk stands in the place of the current one.
    public static let oldChunk = Code("oldChunk")
    /// A chunk is newer than the header, so the headers were set back, and not the whole file.
    public static let oldHeader = Code("oldHeader")
    /// A chunk of another file stands in the place of one of this file.
    public static let foreignChunk = Code("foreignChunk")
    /// The key store does not have the key, so another account, app or device wrote the file.
    public static let foreignKey = Code("foreignKey")
    /// The key was destroyed, so the contents can never be read again.
    public static let destroyedKey = Code("destroyedKey")
    /// The keys cannot be read now, as on a locked device.
    public static let keysUnavailable = Code("keysUnavailable")
    /// The library cannot encrypt: it is out of memory, or the source of randomness failed.
    public static let encryptionFailed = Code("encryptionFailed")
    /// The file's key has sealed as many blocks as is safe.
    public static let keyExhausted = Code("keyExhausted")
    /// An argument or the file is larger than the format allows.
    public static let tooLarge = Code("tooLarge")
    /// The file is open for reading only.
    public static let readOnly = Code("readOnly")
    /// The file was closed.
    public static let closed = Code("closed")
    /// Another open file writes to the same one, or another program is replacing it.
    public static let locked = Code("locked")
    /// A write failed in a way that leaves unknown what arrived; the contents are those of the last sync.
    public static let poisoned = Code("poisoned")
    /// Another owner protects the file.
    public static let otherOwner = Code("otherOwner")
    /// A wipe of the account is pending, so nothing is protected for it.
    public static let wipePending = Code("wipePending")
    /// The state of the accounts cannot be read now, so nothing is decided by it.
    public static let stateUnavailable = Code("stateUnavailable")
    /// Something is to be encrypted for an owner without a name.
    public static let noOwner = Code("noOwner")
    /// A file exists where one was to be created.
    public static let alreadyExists = Code("alreadyExists")
    /// The operating system reported an error.
    public static let inputOutput = Code("inputOutput")
  }

  /// What kind of failure it is.
  public var code: Code
  /// What went wrong, in one sentence without a full stop.
  public var message: String
  /// What to do about it, in one sentence without a full stop.
  public var remedy: String
  /// The file's path; `nil` for data.
  public var file: String?
  /// The chunk's number from 0; `nil` if it is not about a chunk.
  public var chunk: UInt64?
  /// The place in the file, in bytes from its start.
  public var offset: UInt64?
  /// The system's error number, when the system reported one.
  public var errorNumber: Int32?

  /// What failed, what to do about it, and where it happened.
  public init(
    _ code: Code, _ message: String, remedy: String, file: String? = nil, chunk: UInt64? = nil, offset: UInt64? = nil,
    errorNumber: Int32? = nil
  ) {
    self.code = code
    self.message = message
    self.remedy = remedy
    self.file = file
    self.chunk = chunk
    self.offset = offset
    self.errorNumber = errorNumber
  }

  init(_ error: FileSystemError, file: String) {
    self.init(
      .inputOutput, "the file system reports \(error)", remedy: "Check the path, its permissions and the device",
      file: file, errorNumber: error.code)
  }

  init(_ error: KeyStoreError) {
    self.init(.keysUnavailable, error.message, remedy: error.remedy)
  }

  static let encryptionFailed = ProtectionError(
    .encryptionFailed, "the library cannot encrypt, or the source of randomness failed",
    remedy: "Free memory, and check that libcrypto is complete")

  /// Something else stands where something encrypted is required.
  package static func notEncrypted(isMarked: Bool) -> ProtectionError {
    ProtectionError(
      .notEncrypted,
      "it \(isMarked ? "only names an owner" : "is plain") and may stand in the place of something that was encrypted",
      remedy: "Do not trust it: take the encrypted one from a copy, or delete it")
  }

  /// The same error in a file.
  func within(_ path: String) -> ProtectionError {
    var error = self
    error.file = error.file ?? path
    return error
  }

  /// The file and the place, the reason, and the remedy, in one line.
  public var description: String {
    let place = [file, chunk.map { "chunk \($0)" }, offset.map { "byte \($0)" }].compactMap(\.self)
    return (place.isEmpty ? "" : place.joined(separator: ", ") + ": ") + "\(message). \(remedy)."
  }
}

/// Calls the file system, and names the file in its errors.
func atFile<Value>(
  _ path: String, _ body: () throws(FileSystemError) -> Value
) throws(ProtectionError) -> Value {
  do throws(FileSystemError) { return try body() } catch { throw ProtectionError(error, file: path) }
}
