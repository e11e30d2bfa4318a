/// The name that a cloud, a browser or another file system gave to a file of a journal.
public struct ForeignName: Equatable, Sendable {
  /// How the name came about.
  public enum Kind: Equatable, Sendable, CaseIterable {
    /// iCloud keeps the file elsewhere and left a placeholder: `.NAME.icloud`.
    case placeholder
    /// A download that is not done: `NAME.part`, `NAME.crdownload`.
    case unfinished
    /// The same name in another case: `NAME.SEG`.
    case otherCase
    /// A copy beside a file of the name, or in its place: `00000000000000000001 (1).seg`, or a sync conflict's.
    case copy
  }

  /// How the name came about.
  public let kind: Kind
  /// The name that the file has in its journal.
  public let original: String

  /// Recognises a name; `nil` for the names of a journal's own files, and for all others.
  public init?(_ name: String) {
    if Self.isOwn(name) { return nil }
    if name.hasPrefix("."), name.hasSuffix(".icloud") {
      self.init(.placeholder, of: String(name.dropFirst().dropLast(7)))
      return
    }
    if let ending = Self.endings.first(where: name.hasSuffix) {
      self.init(.unfinished, of: String(name.dropLast(ending.utf8.count)))
      return
    }
    let spelled = [name.lowercased(), name.uppercased()].first(where: Self.isOwn)
    if let spelled {
      self.init(.otherCase, of: spelled)
      return
    }
    // What tools add stands between the number and the ending.
    guard name.utf8.count > 24, name.lowercased().hasSuffix(".seg"),
      !name.utf8.dropFirst(20).dropLast(4).allSatisfy({ 0x30...0x39 ~= $0 || $0 == UInt8(ascii: "-") })
    else { return nil }
    self.init(.copy, of: String(decoding: name.utf8.prefix(20), as: UTF8.self) + ".seg")
  }

  private init?(_ kind: Kind, of original: String) {
    guard Self.isOwn(original) else { return nil }
    (self.kind, self.original) = (kind, original)
  }

  private static let endings = [".part", ".partial", ".crdownload", ".download", ".filepart", ".opdownload"]

  private static func isOwn(_ name: String) -> Bool {
    SegmentName(name) != nil || Checkpoint.isName(name)
      || [Format.identityName, Format.headName, Format.keptName].contains(name)
  }

  /// What is wrong, in one phrase each: the cause, what shows it, and what to do.
  ///
  /// - Parameter isThere: Whether a file of the original name is there as well.
  func finding(_ name: String, isThere: Bool) -> Finding {
    let (cause, remedy) =
      switch kind {
      case .placeholder:
        (
          "iCloud keeps \(original) elsewhere, and only its placeholder is here",
          "download \(original), as with brctl download"
        )
      case .unfinished: ("the download of \(original) is not done", "download \(original) again")
      case .otherCase:
        ("the name is spelled in another case, and the file is left out", "rename the file to \(original)")
      case .copy:
        (
          "a browser, a cloud or a file manager named this copy of \(original), and the file is left out",
          isThere
            ? "compare it with \(original), and move one of them to another place" : "rename the file to \(original)"
        )
      }
    return Finding(
      .indexDamaged, file: name, byteRange: 0..<0, cause: cause,
      evidence: isThere ? "\(original) is here as well" : "\(original) is not here", remedy: remedy)
  }
}
