import EventSourcing
import Forensics

/// How a question of the tool's domain is written.
@usableFromInline
package struct QuestionOutline: Sendable {
  /// The word before the parenthesis.
  package let name: String
  /// The same with the names of the values: `saveTo(location, owner[, account])`.
  package let usage: String
  /// An example that can be asked; `nil` where none is known.
  package let sample: String?
  /// What it asks, the values that are to choose from, and its answers, as sentences.
  package let meaning: String

  @usableFromInline
  init<Domain: QuestionDomain>(_ form: QuestionForm<Domain.Question>, of domain: Domain.Type) {
    (name, usage) = (form.name, QuestionText<Domain>.usage(of: form))
    let values = form.parameters.filter { $0.standard == nil }.map { parameter in
      (parameter.choices + Self.trials).first(where: parameter.accepts) ?? ""
    }
    sample = (try? QuestionText<Domain>(form.name, values))?.text
    let choices = form.parameters.filter { !$0.choices.isEmpty && $0.choices != ["true", "false"] }.map {
      " \($0.name): \($0.choices.filter { !$0.isEmpty }.joined(separator: ", "))."
    }
    meaning =
      form.meaning.prefix(1).uppercased() + form.meaning.dropFirst() + "." + choices.joined()
      + " Answers: \(form.answers.names.joined(separator: ", "))"
      + (form.answers.acceptsOther(EventAccounts.pseudonym(1)) ? ", an account." : ".")
  }

  /// Values that most parameters without choices take: a number, an account, a word.
  private static let trials = ["1", EventAccounts.pseudonym(1), "x"]
}
