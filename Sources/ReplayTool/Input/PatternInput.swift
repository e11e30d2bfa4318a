import CommandSupport
import Forensics

/// Patterns on a command line: for paths, types and accounts.
package enum PatternInput {
  /// The longest one, in bytes. Matching takes time in proportion to the length of the pattern and of the text.
  static let longest = 4096

  /// Refuses a pattern of any other length.
  ///
  /// - Parameter what: What it is, for the message.
  package static func check(_ text: String, _ what: String) throws(Failure) {
    guard text.utf8.count > longest else { return }
    throw Failure(
      .wrongUse, "\(what) has more than \(longest) bytes; write a shorter one", next: "\(Tool.name) help filters")
  }

  /// Patterns that were given for an option.
  package static func globs(_ texts: [String], option: String) throws(Failure) -> [Glob] {
    for text in texts { try check(text, "--\(option)") }
    return texts.map(Glob.init)
  }
}
