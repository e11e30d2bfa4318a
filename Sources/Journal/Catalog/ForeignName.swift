/// The name that a cloud, a browser or another file system gave to a file of a journal.
public struct ForeignName: Equatable, Sendable {
  /// How the name came about.
  public enum Kind: Equatable, Sendable, CaseIterable {
    /// A cloud keeps the file elsewhere and left a placeholder: `.NAME.icloud`, `NAME.nextcloud`.
    case placeholder
    /// A download that is not done: `NAME.part`, `NAME.crdownload`.
    case unfinished
    /// The same name in another case: `NAME.SEG`.
    case otherCase
    /// A copy beside a file of the name, or in its place: `00000000000000000001 (1).seg`, `HEAD - Copy`, or a sync conflict's.
    case copy
    /// An ending that a mail program or an editor added: `NAME.txt`.
    case ending
  }

  /// How the name came about.
  public let kind: Kind
  /// The name that the file has in its journal.
  public let original: String

  /// Recognises a name; `nil` for the names of a journal's own files, and for all others.
  public init?(_ name: String) {
    guard name.utf8.count <= Self.longest, !Self.isOwn(name) else { return nil }
    if name.hasPrefix("."), name.hasSuffix(".icloud") {
      self.init(.placeholder, of: String(name.dropFirst().dropLast(7)))
      return
    }
    for (kind, endings) in Self.endings {
      guard let ending = endings.first(where: name.lowercased().hasSuffix) else { continue }
      self.init(kind, of: String(name.dropLast(ending.utf8.count)))
      return
    }
    if let spelled = [name.lowercased(), name.uppercased()].first(where: Self.isOwn) {
      self.init(.otherCase, of: spelled)
      return
    }
    // What tools add stands between the name and its ending.
    let ending = name.utf8.lastIndex(of: UInt8(ascii: ".")).map { name[$0...].lowercased() } ?? ""
    if [".seg", ".ckpt"].contains(ending) {
      let stem = name.utf8.dropLast(ending.utf8.count)
      guard stem.count > 20, !stem.dropFirst(20).allSatisfy({ 0x30...0x39 ~= $0 || $0 == UInt8(ascii: "-") }) else {
        return nil
      }
      self.init(.copy, of: String(decoding: stem.prefix(20), as: UTF8.self) + ending)
      return
    }
    guard let space = name.utf8.firstIndex(of: 0x20) else { return nil }
    self.init(.copy, of: String(name[..<space]))
  }

  private init?(_ kind: Kind, of original: String) {
    guard Self.isOwn(original) else { return nil }
    (self.kind, self.original) = (kind, original)
  }

  /// The longest name that file systems have.
  private static let longest = 255
  private static let endings: [(Kind, [String])] = [
    (.placeholder, [".nextcloud", ".owncloud"]),
    (.unfinished, [".part", ".partial", ".crdownload", ".download", ".filepart", ".opdownload"]),
    (.ending, [".txt", ".bin", ".dat", ".bak"]),
  ]

  private static func isOwn(_ name: String) -> Bool {
    SegmentName(name) != nil || Checkpoint.isName(name)
      || [Format.identityName, Format.headName, Format.keptName].contains(name)
  }

  /// What became of the file, in one phrase.
  public var cause: String {
    switch kind {
    case .placeholder: "a cloud keeps \(original) elsewhere, and only its placeholder is here"
    case .unfinished: "the download of \(original) is not done"
    case .otherCase: "the name of \(original) is spelled in another case"
    case .copy: "a browser, a cloud or a file manager named this copy of \(original)"
    case .ending: "another program added an ending to the name of \(original)"
    }
  }

  /// What is wrong, in one phrase each: the cause, what shows it, and what to do.
  ///
  /// - Parameters:
  ///   - isThere: Whether a file of the original name is there as well.
  ///   - isRead: Whether the file is read in its place.
  func finding(_ name: String, isThere: Bool, isRead: Bool) -> Finding {
    let remedy =
      switch kind {
      case .placeholder: "download \(original): open the folder in the cloud's app, or use brctl download for iCloud"
      case .unfinished: "download \(original) again"
      case .copy where isThere: "compare it with \(original), and move one of them to another place"
      case .otherCase, .copy, .ending: "rename the file to \(original)"
      }
    let fate = isRead ? "; its events are read" : kind == .placeholder ? "" : ", and the file is left out"
    return Finding(
      .indexDamaged, file: name, byteRange: 0..<0, cause: cause + fate,
      evidence: isThere ? "\(original) is here as well" : "\(original) is not here", remedy: remedy)
  }
}

extension SegmentName {
  /// The segment that a file with another program's name is; `nil` if it is not one, or not here.
  init?(_ foreign: ForeignName, of file: String) {
    guard foreign.kind != .placeholder, let name = Self(foreign.original) else { return nil }
    self = name
    self.foreign = file
  }
}
