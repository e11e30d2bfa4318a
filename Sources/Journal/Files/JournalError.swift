import PlainText

/// Why a journal operation failed: the reason, the place, and the remedy.
public struct JournalError: Error, Equatable, Sendable, CustomStringConvertible {
  /// What kind of failure it is. Open: later versions may add codes.
  public struct Code: Hashable, Sendable, CustomStringConvertible {
    /// The code's stable name, such as `noSpace`.
    public let name: String

    /// Creates a code; use the static members.
    public init(_ name: String) {
      self.name = name
    }

    /// The code's name.
    public var description: String { name }

    /// A journal already exists where one was to be created.
    public static let alreadyExists = Code("alreadyExists")
    /// The path leads to no journal.
    public static let notAJournal = Code("notAJournal")
    /// Another process, or another part of this one, has the journal open for writing.
    public static let locked = Code("locked")
    /// Bytes that were durable do not verify.
    public static let damaged = Code("damaged")
    /// The journal uses a version or a feature that this program does not know.
    public static let unsupportedFormat = Code("unsupportedFormat")
    /// The journal's events are of another domain than the one that it was opened for.
    public static let otherDomain = Code("otherDomain")
    /// The operating system reported an error; the bytes may be intact, and trying again may help.
    public static let inputOutput = Code("inputOutput")
    /// The device or the quota is full. Nothing of the batch is in the journal, which stays usable.
    public static let noSpace = Code("noSpace")
    /// A payload, a batch or a checkpoint is larger than the format allows.
    public static let tooLarge = Code("tooLarge")
    /// The batch has no event.
    public static let emptyBatch = Code("emptyBatch")
    /// The journal does not end where the caller expected, or events that a reader was served are gone: the writer took
    /// them back before they were durable, or the files were cut or replaced.
    public static let conflict = Code("conflict")
    /// The journal was closed.
    public static let closed = Code("closed")
    /// The device failed, and this writer can make no further guarantees.
    public static let poisoned = Code("poisoned")
    /// A position lies before the first event that is kept, or after the last one.
    public static let outOfRange = Code("outOfRange")
    /// Events were retired while they were read: what is there now begins after them.
    public static let retired = Code("retired")
    /// A checkpoint is missing, or does not verify.
    public static let badCheckpoint = Code("badCheckpoint")
  }

  /// What kind of failure it is.
  public var code: Code
  /// What went wrong, in one sentence without a full stop.
  public var message: String
  /// What to do about it, in one sentence without a full stop.
  public var remedy: String
  /// The file it happened in: a name inside the journal's directory, or the directory's path.
  public var file: String?
  /// The place in the file, in bytes from its start.
  public var offset: UInt64?
  /// The event it is about.
  public var sequence: UInt64?
  /// The system's error number, when the system reported one.
  public var errorNumber: Int32?

  /// What failed, what to do about it, and where it happened.
  public init(
    _ code: Code, _ message: String, remedy: String, file: String? = nil, offset: UInt64? = nil,
    sequence: UInt64? = nil, errorNumber: Int32? = nil
  ) {
    self.code = code
    self.message = message
    self.remedy = remedy
    self.file = file
    self.offset = offset
    self.sequence = sequence
    self.errorNumber = errorNumber
  }

  /// One line: the place, the reason, the next step.
  public var description: String {
    var place: [String] = []
    if let file { place.append(file) }
    if let offset { place.append("byte \(offset.grouped)") }
    if let sequence { place.append("event \(sequence.grouped)") }
    return (place.isEmpty ? "" : place.joined(separator: ", ") + ": ") + message + "; " + remedy
  }
}

extension JournalError {
  /// Whether something other than a regular file is in the file's place.
  var isOfOtherKind: Bool { errorNumber.map(OperatingSystem.isOfOtherKind) ?? false }

  /// The system refused a call on a file or directory.
  ///
  /// - Parameter folder: The journal's directory, where `file` is a name in it: it says which device is full.
  package static func system(
    _ error: FileSystemError, file: String, offset: UInt64? = nil, in folder: String? = nil
  ) -> JournalError {
    if error.meansNoRoom {
      let place = folder.map { " in \($0)" } ?? ""
      return JournalError(
        .noSpace, "there is no room for more\(place) (\(error))", remedy: "free some space and try again", file: file,
        offset: offset, errorNumber: error.code)
    }
    return JournalError(
      .inputOutput, "the system refused the call (\(error))", remedy: OperatingSystem.remedy(error.code), file: file,
      offset: offset, errorNumber: error.code)
  }

  /// Calls the system for a file or directory.
  static func translating<Result: ~Copyable>(
    file: String, offset: UInt64? = nil, _ body: @autoclosure () throws(FileSystemError) -> Result
  ) throws(JournalError) -> Result {
    do throws(FileSystemError) {
      return try body()
    } catch {
      throw .system(error, file: file, offset: offset)
    }
  }

  /// A version or feature that this program does not know.
  static func unsupported(_ what: String, file: String, offset: UInt64? = nil) -> JournalError {
    JournalError(
      .unsupportedFormat, "the journal needs \(what), which this program does not know",
      remedy: "read it with a program at least as new as the one that wrote it", file: file, offset: offset)
  }
}
