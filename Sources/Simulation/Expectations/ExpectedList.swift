import AppProtection
import AppProtectionKit
import JSON

/// A list about which a scenario can state expectations.
public enum ExpectedList: String, CaseIterable, Sendable {
  /// The notices and questions to the app.
  case callbacks
  /// The types of the events written.
  case events
  /// Findings in the events that a developer should know about.
  case findings
  /// Work that the engine has yet to do.
  case pending

  /// A demand on the list.
  public enum Demand: Equatable, Sendable {
    /// The list equals these items, in this order.
    case equals([String])
    /// These items occur in this order, possibly with others in between; an empty list only restarts counting.
    case contains([String])
    /// No item begins with any of these words.
    case excludes([String])
    /// The number of items that begin with these words.
    case counts(String, ExpectedCount)
  }

  /// The endings of the members about a list: its name alone, or with one of these.
  static let endings = ["", "Contain", "Exclude", "Count"]

  /// The list and the ending in a member's name.
  static func parts(of member: String) -> (list: ExpectedList, ending: String)? {
    for list in allCases where member.hasPrefix(list.rawValue) {
      let ending = String(member.dropFirst(list.rawValue.count))
      if endings.contains(ending) { return (list, ending) }
    }
    return nil
  }

  /// The form of an item: its first word and the parameters after it.
  struct Form {
    var name: String
    var parameters: [LabelParameter]

    /// The form as documented.
    var text: String { ([name] + parameters.map(\.description)).joined(separator: " ") }
  }

  /// The forms of all items that can occur in the list.
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

  /// Rejects an item that cannot occur in the list: a condition with a misspelt word could never be met, or never fail.
  ///
  /// - Parameter isWhole: Whether every word must be present; otherwise the first ones suffice.
  func check(_ text: String, at node: JSONNode, accounts: [String], isWhole: Bool) throws(JSONError) {
    let words = text.split(separator: " ", omittingEmptySubsequences: false).map(String.init)
    let name = try node.word(words.first ?? "", from: forms.map(\.name))
    guard let form = forms.first(where: { $0.name == name }) else { return }
    let parameters = form.parameters
    guard isWhole ? words.count == parameters.count + 1 : words.count <= parameters.count + 1 else {
      throw node.error(
        .invalidValue, "\(JSONExcerpt.quoted(text)) does not have the form \(JSONExcerpt.quoted(form.text))",
        remedy: "write one word for each part")
    }
    for (parameter, word) in zip(parameters, words.dropFirst()) where !parameter.admits(word, accounts: accounts) {
      _ = try node.word(word, from: parameter.suggestions(for: word, accounts: accounts))
    }
  }
}

/// Shortens long lists in messages to the relevant part, with the number of items before and after it.
enum ListExcerpt {
  /// The most items shown.
  static let longest = 12
  /// Number of items shown before the relevant one.
  private static let lead = 3

  /// All items, or those around the relevant one.
  static func text(_ items: [String], around index: Int = 0) -> String {
    guard items.count > longest else { return items.joined(separator: ", ") }
    let start = min(max(0, index - lead), items.count - longest)
    let end = start + longest
    var shown = Array(items[start..<end])
    if start > 0 { shown.insert("… \(start) before", at: 0) }
    if end < items.count { shown.append("… \(items.count - end) more") }
    return shown.joined(separator: ", ")
  }
}
