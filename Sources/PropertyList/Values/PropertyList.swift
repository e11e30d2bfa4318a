/// A property list, such as an app's `Info.plist`, in either of its two forms.
///
/// ```swift
/// let list = try PropertyList.read(bytes)
/// list.root.dictionary?["CFBundleIdentifier"]?.string  // "com.contoso.notes"
/// ```
///
/// In an app's source it is XML (Apple's document type `PropertyList-1.0.dtd`), in a built app usually binary
/// (`bplist00`, described in CoreFoundation's `CFBinaryPList.c`). The reader is strict: it guesses nothing, accepts a
/// repeated key only if the caller allows it, and names the place of every error. It is safe on hostile input: XML that
/// declares entities is rejected, every offset and count of the binary form is checked before use, each object is
/// decoded only once, and nesting is bounded.
public struct PropertyList: Equatable, Sendable {
  /// The form of a property list.
  public enum Format: String, Equatable, Sendable {
    /// Text in XML.
    case xml = "XML"
    /// Apple's binary form.
    case binary
  }

  /// What the reader accepts; anything beyond is an error, never a crash.
  public struct Limits: Equatable, Sendable {
    /// The longest file accepted, in bytes.
    public var bytes: Int
    /// The deepest nesting of dictionaries and arrays, from 1; capped at 256 levels, because the reader's stack is
    /// bounded.
    public var depth: Int
    /// The most values accepted, counting one that a binary file refers to twice as two.
    public var values: Int

    /// 16 MiB, 128 levels and a million values by default.
    public init(bytes: Int = 16 << 20, depth: Int = 128, values: Int = 1_000_000) {
      self.bytes = bytes
      self.depth = min(depth, 256)
      self.values = values
    }
  }

  /// A key that occurs again in its dictionary.
  public struct RepeatedKey: Equatable, Sendable {
    /// The key with its path.
    public let path: PropertyListPath
    /// The place of the repetition.
    public let position: PropertyListPosition
  }

  /// The most repeated keys kept; more would not be more informative.
  static let mostRepeatedKeys = 100

  /// The outermost value.
  public let root: PropertyListValue
  /// The form of the file.
  public let format: Format
  /// Keys that occur again in their dictionaries, in the order of the file, at most 100. Their first values count.
  public let repeatedKeys: [RepeatedKey]

  /// A property list that does not come from a file.
  public init(_ root: PropertyListValue, format: Format = .xml) {
    self.init(root, format, repeatedKeys: [])
  }

  init(_ root: PropertyListValue, _ format: Format, repeatedKeys: [RepeatedKey]) {
    self.root = root
    self.format = format
    self.repeatedKeys = repeatedKeys
  }
}
