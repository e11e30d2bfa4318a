import JSON
import SensitiveText

/// The rule for texts of errors that leave with what is redacted: they quote the path, and may quote names that lie below it.
package enum ErrorText {
  /// The text with each name of the path replaced that may not be shown; withheld as a whole if what is left identifies someone.
  ///
  /// - Parameters:
  ///   - text: The text of an error.
  ///   - path: Where the error is.
  ///   - shown: What stands for the path, or for one of its names.
  package static func shown(_ text: String, of path: String, _ shown: (String) -> String) -> String {
    let names = [path] + path.split(separator: "/").map(String.init)
    var (replaced, rest) = (text, text)
    for name in names.filter(isWithheld).sorted(by: { $0.utf8.count > $1.utf8.count }) {
      replaced = replaced.replacing(name, with: shown(name))
      rest = rest.replacing(name, with: "")
    }
    return TextPrivacy.identifies(rest) ? JSONExcerpt.withheld : TextPrivacy.withoutSecrets(replaced)
  }

  private static func isWithheld(_ name: String) -> Bool {
    TextPrivacy.identifies(name) || TextPrivacy.holdsSecret(name)
  }
}
