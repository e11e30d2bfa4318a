/// What an app attaches to a command for later readers: no rule and no state depends on it.
///
/// ```swift
/// var attributes = CommandAttributes(stream: "inbox")
/// attributes.metadata = [.init("request", "7f3a")]
/// try store.append(command, at: moment, attributes: attributes)
/// ```
///
/// Every event of the command carries the attributes. A command that is repeated under its idempotency key does not change
/// those of the first time.
///
/// **Privacy.** The stream and the values of ``metadata`` may be anything, so output treats them like personal data: it shows
/// them only where accounts are revealed. Keys and ``origin`` are always shown. The journal keeps all of it as it was given,
/// for as long as it keeps the event; what must be erasable belongs in a personal field of an event.
public struct CommandAttributes: Hashable, Sendable {
  /// The process that made the request, if another one handed it over.
  public var origin: CommandOrigin?
  /// The stream of events that the command belongs to; empty for none. At most ``maximumStreamLength`` bytes.
  public var stream: String
  /// Whatever else the app wants to find again, such as the number of a request. At most ``maximumEntryCount`` entries.
  public var metadata: [MetadataEntry]

  /// Nothing is attached unless given.
  public init(origin: CommandOrigin? = nil, stream: String = "", metadata: [MetadataEntry] = []) {
    self.origin = origin
    self.stream = stream
    self.metadata = metadata
  }

  /// Whether nothing is attached.
  public var isEmpty: Bool { origin == nil && stream.isEmpty && metadata.isEmpty }

  /// What the keys of ``metadata`` begin with that say what the source of an imported event does not.
  @inlinable package static var inferenceKeyBeginning: String { "inferred." }

  /// Whether the event was imported from a source that shows a part of what happened only.
  @inlinable package var isInferred: Bool { metadata.contains { $0.key.hasPrefix(Self.inferenceKeyBeginning) } }

  /// The longest name of a stream, in bytes of UTF-8.
  public static var maximumStreamLength: Int { 255 }
  /// The most entries of ``metadata``.
  public static var maximumEntryCount: Int { 16 }
  /// The longest key, in bytes.
  public static var maximumKeyLength: Int { 64 }
  /// The longest value, in bytes of UTF-8.
  public static var maximumValueLength: Int { 1024 }
}

/// One entry of a command's metadata.
public struct MetadataEntry: Hashable, Sendable {
  /// What the value is: 1 to 64 letters, digits, dots, hyphens and underscores of ASCII, unique within its command.
  public var key: String
  /// The value: at most 1024 bytes of UTF-8, possibly empty.
  public var value: String

  /// The limits are checked when the command is appended.
  public init(_ key: String, _ value: String) {
    self.key = key
    self.value = value
  }
}

/// The process that made a request, where another process wrote the events.
public struct CommandOrigin: Hashable, Sendable {
  /// The number by which the app knows that process, such as the one that the system gave it.
  public var process: UInt64
  /// When the request was made, by that process.
  public var moment: Moment

  /// A request of `process` at `moment`.
  public init(process: UInt64, at moment: Moment) {
    self.process = process
    self.moment = moment
  }
}

extension CommandAttributes {
  /// Why attributes cannot be written.
  public enum Problem: Error, Hashable, Sendable, CustomStringConvertible {
    /// The stream's name is longer than ``CommandAttributes/maximumStreamLength``.
    case streamTooLong(bytes: Int)
    /// The metadata has more entries than ``CommandAttributes/maximumEntryCount``.
    case tooManyEntries(count: Int)
    /// A key is empty, too long, or has other characters than letters, digits, `.`, `-` and `_`.
    case keyInvalid(String)
    /// Two entries have the same key.
    case keyRepeated(String)
    /// An entry's value is longer than ``CommandAttributes/maximumValueLength``.
    case valueTooLong(key: String, bytes: Int)

    /// One sentence that states the limit.
    public var description: String {
      switch self {
      case .streamTooLong(let bytes):
        "the name of the stream has \(bytes) bytes; the limit is \(CommandAttributes.maximumStreamLength)"
      case .tooManyEntries(let count):
        "the metadata has \(count) entries; the limit is \(CommandAttributes.maximumEntryCount)"
      case .keyInvalid(let key):
        "\"\(key.prefix(CommandAttributes.maximumKeyLength))\" cannot be a key of metadata: keys have 1 to "
          + "\(CommandAttributes.maximumKeyLength) letters, digits, dots, hyphens and underscores"
      case .keyRepeated(let key): "the metadata has two entries with the key \"\(key)\""
      case .valueTooLong(let key, let bytes):
        "the metadata's \"\(key)\" has \(bytes) bytes; the limit is \(CommandAttributes.maximumValueLength)"
      }
    }
  }

  /// The first limit that is exceeded; `nil` if the attributes can be written.
  public var problem: Problem? {
    let length = stream.utf8.count
    guard length <= Self.maximumStreamLength else { return .streamTooLong(bytes: length) }
    guard metadata.count <= Self.maximumEntryCount else { return .tooManyEntries(count: metadata.count) }
    var keys: Set<String> = []
    for entry in metadata {
      guard Self.isKey(entry.key) else { return .keyInvalid(entry.key) }
      guard keys.insert(entry.key).inserted else { return .keyRepeated(entry.key) }
      let length = entry.value.utf8.count
      guard length <= Self.maximumValueLength else { return .valueTooLong(key: entry.key, bytes: length) }
    }
    return nil
  }

  static func isKey(_ key: String) -> Bool {
    (1...maximumKeyLength).contains(key.utf8.count)
      && key.utf8.allSatisfy { byte in
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
          UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "."), UInt8(ascii: "-"), UInt8(ascii: "_"):
          true
        default: false
        }
      }
  }
}
