import Forensics
import Journal

/// Finds journals from what a user types.
package enum JournalPath {
  /// The journal to read if none is named: the current directory.
  package static let defaultPath = "."

  /// Whether a folder is a journal.
  package static func isJournal(_ path: String) -> Bool { Platform.exists(path + "/JOURNAL") }

  /// Whether a folder with these names is a journal, or what is left of one.
  package static func isJournal(_ names: some Sequence<String>) -> Bool {
    names.contains { $0 == "JOURNAL" || isNumbered($0, ".seg") }
  }

  /// Whether a name is a number with this ending, as segments and checkpoints have.
  static func isNumbered(_ name: String, _ ending: String) -> Bool {
    name.hasSuffix(ending) && name.utf8.first.map { 0x30...0x39 ~= $0 } ?? false
  }

  /// Whether the current directory is a journal.
  package static var hasDefault: Bool { isJournal(defaultPath) }

  /// The path, or the nearest folder above it that exists.
  package static func existing(_ path: String) -> String {
    var name = path[...]
    while !Platform.exists(String(name)) {
      guard let slash = name.lastIndex(of: "/") else { return defaultPath }
      guard slash != name.startIndex else { return "/" }
      name = name[..<slash]
    }
    return String(name)
  }

  /// The journals directly inside a folder, sorted; none if it has very many names.
  package static func journals(below path: String) -> [String] {
    guard let names = try? PosixFileSystem().list(path), names.count <= 10_000 else { return [] }
    let folder = path.hasSuffix("/") ? path : path == defaultPath ? "" : path + "/"
    return names.sorted().map { folder + $0 }.filter(isJournal)
  }

  /// Separates a journal's path from what follows it: a first word that is not a file but reads like a position
  /// belongs to the default journal, if one exists.
  package static func split(_ words: [String], reads: (String) -> Bool) -> (path: String, rest: [String]) {
    guard let first = words.first else { return (defaultPath, []) }
    if !Platform.exists(first), reads(first), hasDefault { return (defaultPath, words) }
    return (first, Array(words.dropFirst()))
  }

  /// Whether a word reads like a position or a range.
  package static func readsLikePosition(_ word: String) -> Bool {
    (try? NamedRange(word)) != nil
  }
}
