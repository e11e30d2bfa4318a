import EventSourcing
import PlainText

extension QuestionText {
  /// Refuses an answer that the question never has; a pattern with wildcards must match one.
  func requirePossible(_ answer: String, column: Int) throws(FilterError) {
    guard let answers else { return }
    let pattern = Glob(answer)
    guard !answers.acceptsOther(answer), !answers.names.contains(where: pattern.matches) else { return }
    // Something else than a name, such as an account, may match.
    if !pattern.isLiteral, answers.acceptsOther(answer.filter { $0 != "*" && $0 != "?" } + "1") { return }
    let near = EditDistance.nearest(to: answer, in: answers.names, limit: 1).first
    throw FilterError(
      column: column, "\(name) is never answered with \"\(answer)\"",
      remedy: near.map { "write \($0)" } ?? "write one of \(answers.names.joined(separator: ", "))")
  }
}
