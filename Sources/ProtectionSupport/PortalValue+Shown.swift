import CommandSupport
import Forensics
import JSON
import PolicyDocuments

extension PortalValue {
  /// The value as text: where it is withheld, what names no person, and the word that the rest is withheld.
  package func text(_ redaction: Redaction) -> String {
    shownWords(redaction)
      ?? [summary, redaction.placeholder(for: .account)].compactMap { $0 }.joined(separator: " ")
  }

  /// The words, with `(secret)` in place of each secret in their links; `nil` where they are withheld.
  package func shownWords(_ redaction: Redaction) -> String? {
    isHidden(by: redaction) ? nil : redaction.shown(words)
  }

  /// Whether the value is withheld because it may name persons or places of an organization.
  package func isHidden(by redaction: Redaction) -> Bool { isPrivate && !redaction.shows(.account) }
}

/// A value of a document: what may be shown, or that it is withheld and what of it names no person.
extension PortalValue: JSONRepresentable {
  @usableFromInline
  package static var jsonShape: JSONShape { .value }

  @usableFromInline
  package func appendJSON(to bytes: inout [UInt8], _ redaction: Redaction) {
    if let words = shownWords(redaction) { return words.appendJSON(to: &bytes, redaction) }
    let summary = summary.map { [JSONObject.Member("summary", .string($0))] } ?? []
    JSONValue.object([.init("redacted", "account")] + summary).appendJSON(to: &bytes, redaction)
  }
}

extension JSONValue {
  /// What stands for a value that is withheld.
  package static var withheld: JSONValue { ["redacted": "account"] }
}
