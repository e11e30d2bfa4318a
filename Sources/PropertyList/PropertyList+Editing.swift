extension PropertyList {
  /// The bytes of a file after edits, in its own form.
  ///
  /// XML keeps every byte that no edit concerns. The binary form has no layout to keep and is rewritten. Before it is
  /// returned, the result is read back: its value differs from the file's by the edits and by nothing else.
  ///
  /// - Parameters:
  ///   - bytes: The contents of the file.
  ///   - edits: The changes; without any, the result is `bytes`.
  ///   - limits: What to accept.
  /// - Throws: ``PropertyListError``: the file cannot be read, has a key that occurs twice in a dictionary, or an edit does
  ///   not fit it (``PropertyListError/Code/unfitEdit``).
  public static func edited(
    _ bytes: [UInt8], by edits: [PropertyListEdit], limits: Limits = Limits()
  ) throws(PropertyListError) -> [UInt8] {
    let list = try read(bytes, limits: limits)
    guard !edits.isEmpty else { return bytes }
    guard let intended = list.root.applying(edits) else { throw unfit(list, edits) }
    let result: [UInt8]
    switch list.format {
    case .binary: result = BinaryPropertyListWriter.bytes(of: intended)
    case .xml: result = try xml(bytes, edits, list, limits)
    }
    let written = try? read(result, limits: limits)
    guard let written, written.root.isIdentical(to: intended) else { throw unfit(list, edits) }
    return result
  }

  /// Whether a character can be in a text of the XML form; the binary form takes any.
  public static func canBeInXML(_ scalar: Unicode.Scalar) -> Bool { XMLSource.isCharacter(scalar) }

  private static func xml(
    _ bytes: [UInt8], _ edits: [PropertyListEdit], _ list: PropertyList, _ limits: Limits
  ) throws(PropertyListError) -> [UInt8] {
    let source = try XMLSource(bytes)
    let paths = Set(edits.map(\.path) + [PropertyListPath()])
    var parser = XMLPropertyListParser(source, limits: limits, RepeatedKeys { _ in false }, locating: paths)
    _ = try parser.document()
    var editor = XMLEditor(source, parser.places)
    guard let text = editor.text(after: edits) else { throw unfit(list, edits) }
    return source.encoded(text)
  }

  private static func unfit(_ list: PropertyList, _ edits: [PropertyListEdit]) -> PropertyListError {
    PropertyListError(
      .unfitEdit, at: list.root.position, path: edits.first?.path ?? PropertyListPath(),
      "the file cannot be changed here without changing something else",
      remedy: "change it by hand")
  }
}
