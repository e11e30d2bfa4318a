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

  private init(_ root: PropertyListValue, _ format: Format, repeatedKeys: [RepeatedKey]) {
    self.root = root
    self.format = format
    self.repeatedKeys = repeatedKeys
  }

  /// Reads a property list. Time and memory are proportional to its length.
  ///
  /// - Parameters:
  ///   - bytes: The file's content.
  ///   - limits: What is accepted.
  ///   - mayRepeat: Whether a key may stand twice in its dictionary; asked with the way to each that does.
  /// - Throws: ``PropertyListError`` with the place of the first thing that does not fit.
  public static func read(
    _ bytes: [UInt8], limits: Limits = Limits(), mayRepeat: (PropertyListPath) -> Bool = { _ in false }
  ) throws(PropertyListError) -> PropertyList {
    try withoutActuallyEscaping(mayRepeat) { (mayRepeat) throws(PropertyListError) in
      try read(bytes, limits, RepeatedKeys(mayRepeat: mayRepeat))
    }
  }

  private static func read(
    _ bytes: [UInt8], _ limits: Limits, _ repeated: RepeatedKeys
  ) throws(PropertyListError) -> PropertyList {
    let start = PropertyListPosition.byte(0)
    guard bytes.count <= limits.bytes else {
      throw PropertyListError(
        .tooLong, at: start, "the file has \(bytes.count) bytes, more than the limit of \(limits.bytes)",
        remedy: "check that the right file was given")
    }
    if bytes.starts(with: "bplist".utf8) {
      var reader = try BinaryPropertyListReader(bytes, limits: limits, repeated)
      return PropertyList(try reader.document(), .binary, repeatedKeys: reader.repeated.found)
    }
    let source = try XMLSource(bytes)
    guard let first = source.bytes.first(where: { !XMLSource.isWhitespace($0) }) else {
      throw PropertyListError(.empty, at: start, "the file is empty", remedy: "check that the right file was given")
    }
    guard first == UInt8(ascii: "<") || XMLScanner(source).directive != nil else {
      throw PropertyListError(
        .unknownFormat, at: start, "the file is neither XML nor a binary property list",
        remedy: "give an Info.plist, or convert it: plutil -convert xml1 FILE")
    }
    var parser = XMLPropertyListParser(source, limits: limits, repeated)
    return PropertyList(try parser.document(), .xml, repeatedKeys: parser.repeated.found)
  }
}
