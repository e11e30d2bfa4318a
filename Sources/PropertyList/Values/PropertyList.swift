/// A property list: what an app's `Info.plist` is, in either of the forms in which one is found.
///
/// ```swift
/// let list = try PropertyList.read(bytes)
/// list.root.dictionary?["CFBundleIdentifier"]?.string  // "com.contoso.notes"
/// ```
///
/// The source of an app has it as XML (the document type `PropertyList-1.0.dtd` of Apple), a built app mostly in the binary
/// form (`bplist00`, described in `CFBinaryPList.c` of CoreFoundation). The reader is strict: nothing is guessed, a key
/// occurs twice only where the caller allows it, and every error names its place. It is safe on hostile input: XML that
/// declares entities of its own is refused, every offset and count of the binary form is checked before it is used, each
/// object is decoded once however often it is referred to, and nesting is bounded.
public struct PropertyList: Equatable, Sendable {
  /// In which form a property list came.
  public enum Format: String, Equatable, Sendable {
    /// Text in XML.
    case xml = "XML"
    /// Apple's binary form.
    case binary
  }

  /// What is accepted; everything beyond is an error, never a crash.
  public struct Limits: Equatable, Sendable {
    /// How long a file may be, in bytes.
    public var bytes: Int
    /// How deep dictionaries and arrays may be nested, from 1; more than 256 levels are never accepted, because the
    /// reader's stack is bounded.
    public var depth: Int
    /// How many values there may be, counting one that a binary file refers to twice as two.
    public var values: Int

    /// Creates limits: 16 MiB, 128 levels and a million values unless told.
    public init(bytes: Int = 16 << 20, depth: Int = 128, values: Int = 1_000_000) {
      self.bytes = bytes
      self.depth = min(depth, 256)
      self.values = values
    }
  }

  /// A key that stands in its dictionary once more.
  public struct RepeatedKey: Equatable, Sendable {
    /// The key, and the way to it.
    public let path: PropertyListPath
    /// Where it stands again.
    public let position: PropertyListPosition
  }

  /// How many repeated keys are kept. More of them say nothing more.
  static let mostRepeatedKeys = 100

  /// The outermost value.
  public let root: PropertyListValue
  /// The form in which it came.
  public let format: Format
  /// Keys that stand in their dictionaries once more, in the order of the file, at most 100. Their first value counts.
  public let repeatedKeys: [RepeatedKey]

  /// Creates a property list that stands in no file.
  public init(_ root: PropertyListValue, format: Format = .xml) {
    self.init(root, format, repeatedKeys: [])
  }

  init(_ root: PropertyListValue, _ format: Format, repeatedKeys: [RepeatedKey]) {
    self.root = root
    self.format = format
    self.repeatedKeys = repeatedKeys
  }
}
