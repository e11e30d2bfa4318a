import EventSourcing
import Forensics

extension Redaction {
  /// A path as it is shown, with a placeholder for each name that has an address in it: it may be that of a person. The ending of
  /// a file's name, which tells its form, stays.
  package func shown(path: String) -> String {
    path.split(separator: "/", omittingEmptySubsequences: false).map { name in
      shown(String(name)) ?? placeholder(for: .account) + Self.ending(of: name)
    }.joined(separator: "/")
  }

  /// An error at a path, as it is shown: see `ErrorText`.
  package func shown(error: String, of path: String) -> String {
    revealsAccounts ? shown(error) ?? error : ErrorText.shown(error, of: path) { shown(path: $0) }
  }

  /// The ending of a file's name with its dot; empty where what follows the last dot is rather a part of an address.
  private static func ending(of name: Substring) -> String {
    guard let dot = name.lastIndex(of: ".") else { return "" }
    let ending = name[dot...]
    return [".json", ".yaml", ".yml", ".ps1", ".mof", ".plist", ".txt", ".zip", ".tar", ".pjx"].contains(
      ending.lowercased())
      ? String(ending) : ""
  }
}
