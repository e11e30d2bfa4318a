import Journal

extension JournalInput {
  /// Refuses a journal of which anything is damaged, lost or too new, and names the first such place.
  ///
  /// - Parameter outcome: What is not done.
  package func requireSound(_ outcome: String) throws(Failure) {
    let findings = try trust.findings() + trust.unknownEnd
    let code = FindingNotes.exitCode(findings, nil)
    guard code != .done, let worst = findings.first(where: { FindingNotes.exitCode([$0], nil) == code }) else { return }
    throw Failure(
      code, "\(path): \(outcome): \(worst.file), \(VerifyText.sentence(about: worst))",
      next: FindingNotes.nextStep(findings, path))
  }
}
