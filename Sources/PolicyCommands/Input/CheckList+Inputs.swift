import CommandSupport

extension CheckList {
  /// Adds what a command could not judge.
  ///
  /// - Parameters:
  ///   - inputs: What was read.
  ///   - code: How the command ends.
  mutating func addErrors(of inputs: PolicyInputs, endingWith code: ExitCode) {
    for failure in inputs.failures { addError(failure.file, failure.reason) }
    guard errors.isEmpty, undecided.isEmpty, code != .done, code != .different else { return }
    let what = checks.isEmpty ? "nothing was judged" : "not everything is known of what was judged"
    addError(title, inputs.skippedText.map { "\(what); \($0)" } ?? what)
  }
}
