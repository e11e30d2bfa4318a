import AppProtection
import AppProtectionKit
import JSON

/// A list of which a scenario can expect something.
public enum ExpectedList: String, CaseIterable, Sendable {
  /// What the app was told and asked.
  case callbacks
  /// The types of the events that were written.
  case events
  /// What a developer should know of the events.
  case findings
  /// What the engine still has to do.
  case pending

  /// What is expected of the list.
  public enum Demand: Equatable, Sendable {
    /// It is this, in this order.
    case equals([String])
    /// These are in it, in this order, whatever stands between them; an empty list only begins to count anew.
    case contains([String])
    /// Nothing in it begins with the words of any of these.
    case excludes([String])
    /// So many of its items begin with these words.
    case counts(String, ExpectedCount)
  }

  /// The members of an expectation about the list: its name alone, and with each ending.
  static let endings = ["", "Contain", "Exclude", "Count"]

  /// The list and the ending that a member's name is made of.
  static func parts(of member: String) -> (list: ExpectedList, ending: String)? {
    for list in allCases where member.hasPrefix(list.rawValue) {
      let ending = String(member.dropFirst(list.rawValue.count))
      if endings.contains(ending) { return (list, ending) }
    }
    return nil
  }

  /// How an item is written: its first word, and what follows it.
  struct Form {
    var name: String
    var parameters: [LabelParameter]

    /// The form as documents show it.
    var text: String { ([name] + parameters.map(\.description)).joined(separator: " ") }
  }

  /// Everything that can be in the list.
  var forms: [Form] {
    switch self {
    case .callbacks:
      Callback.Name.allCases.map { Form(name: $0.rawValue, parameters: $0.parameters) }
        + EngineQuestion.allCases.map { Form(name: $0.rawValue, parameters: $0.parameters) }
    case .events: AppProtectionEvent.catalog.entries.map { Form(name: $0.name, parameters: []) }
    case .findings: TraceFinding.Kind.allCases.map { Form(name: $0.rawValue, parameters: $0.parameters) }
    case .pending: PendingWork.Name.allCases.map { Form(name: $0.rawValue, parameters: $0.parameters) }
    }
  }

  /// Refuses what cannot be in the list: a condition with a misspelt word could not be met, or could not fail.
  ///
  /// - Parameter isWhole: Whether every word must be there; otherwise the first ones are enough.
  func check(_ text: String, at node: JSONNode, accounts: [String], isWhole: Bool) throws(JSONError) {
    let words = text.split(separator: " ", omittingEmptySubsequences: false).map(String.init)
    let name = try node.word(words.first ?? "", from: forms.map(\.name))
    guard let form = forms.first(where: { $0.name == name }) else { return }
    let parameters = form.parameters
    guard isWhole ? words.count == parameters.count + 1 : words.count <= parameters.count + 1 else {
      throw node.error(
        .invalidValue, "\(JSONExcerpt.quoted(text)) has not the form \(JSONExcerpt.quoted(form.text))",
        remedy: "write one word for each")
    }
    for (parameter, word) in zip(parameters, words.dropFirst()) where !parameter.admits(word, accounts: accounts) {
      _ = try node.word(word, from: parameter.suggestions(for: word, accounts: accounts))
    }
  }
}
