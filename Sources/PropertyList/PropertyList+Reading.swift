extension PropertyList {
  /// Reads a property list. Time and memory are proportional to its length.
  ///
  /// - Parameters:
  ///   - bytes: The contents of the file.
  ///   - limits: What to accept.
  ///   - mayRepeat: Whether a key may occur twice in its dictionary; called with the path of each that does.
  /// - Throws: ``PropertyListError`` with the place of the first error.
  public static func read(
    _ bytes: [UInt8], limits: Limits = Limits(), mayRepeat: @escaping (PropertyListPath) -> Bool = { _ in false }
  ) throws(PropertyListError) -> PropertyList {
    // Escaping, because the check that a closure does not escape would have the length of the source's path in it.
    try read(bytes, limits, RepeatedKeys(mayRepeat: mayRepeat))
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
