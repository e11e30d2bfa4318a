import CommandLineInterface
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
    names.contains { name in
      name == "JOURNAL" || isNumbered(name, ".seg")
        || ForeignName(name).map { isNumbered($0.original, ".seg") } ?? false
    }
  }

  /// Whether a name is a number with this ending, as segments and checkpoints have.
  package static func isNumbered(_ name: String, _ ending: String) -> Bool {
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

  /// The nearest journals below a folder, sorted, and how many folders below; none if the folders have very many names.
  package static func journals(below path: String) -> (paths: [String], depth: Int) {
    var (level, left) = ([path], 10_000)
    for depth in 1...deepest {
      var (remains, next) = ([String](), [String]())
      for folder in level {
        guard let names = Platform.names(in: folder, limit: left, skipsHidden: false) else { continue }
        left -= names.count
        guard left >= 0 else { return ([], 0) }
        if depth > 1, isJournal(names) { remains.append(folder) }
        let prefix = folder.hasSuffix("/") ? folder : folder == defaultPath ? "" : folder + "/"
        // What macOS keeps beside the files of an archive has their names.
        next += names.filter { !$0.hasPrefix(".") && $0 != "__MACOSX" }.map { prefix + $0 }
      }
      guard remains.isEmpty else { return (remains, depth - 1) }
      let found = next.filter(isJournal)
      guard found.isEmpty else { return (found, depth) }
      level = next.filter { Platform.kind(of: $0) == .folder }
    }
    return ([], 0)
  }

  /// How many folders below one journals are looked for.
  private static let deepest = 8

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

extension PositionalDescription {
  /// The journal that a command reads.
  package static let journal = PositionalDescription(
    "JOURNAL", .optional, completion: .file, "The journal. Default: the current directory.")
}
