import AppProtection

extension ScenarioRun {
  /// The answer to a question about the accounts' environment, the reason, and the path of the state value that decides
  /// it, if there is one.
  func answer(to question: AppQuestion) -> (answer: String, reason: String, path: String?) {
    switch question {
    case .configuration(let question):
      let account = names.number(of: question.account)
      let configuration = account.map { state.appConfiguration(for: $0) } ?? AppConfiguration([])
      return (
        question.answer(configuration), question.reason(configuration), account.map { "/configuration/\($0)" }
      )
    case .owner(let file):
      guard let owner = service.owner(of: file) else { return (AppQuestion.nothing, "no such file", nil) }
      return ("\(owner)", "its owner", nil)
    case .work(let label):
      guard let work = works[label] else { return (AppQuestion.nothing, "no work has this label", nil) }
      if let changed = changedIdentities[label] { return ("\(changed)", "the work changed its identity", nil) }
      return ("\(work.identity)", "the identity that the \(work.kind.rawValue) carries", nil)
    case .override(let name):
      let value = state.settings.overrides[name]
      return (
        AppQuestion.text(value), value == nil ? "it is not set or was taken back" : "it is set",
        value == nil ? nil : "/settings/overrides"
      )
    case .enrollmentID(let home, let user, let isCaseSensitive):
      let found = enrollmentIDs.entry(homeAccountID: home, userID: user, isCaseSensitive: isCaseSensitive)
      return (
        AppQuestion.text(found?.entry.enrollmentID),
        enrollmentIDs.refusal(homeAccountID: home, userID: user) ?? "the token request carries it", nil
      )
    }
  }
}
