import EventSourcing
import PlainText

/// A question as it is written, such as `saveTo(oneDriveForBusiness, a1)`.
public struct QuestionText<Domain: QuestionDomain>: Equatable, Sendable {
  /// The text, with every value that was given.
  public let text: String
  /// The question.
  public let question: Domain.Question
  /// Its name.
  public let name: String
  /// The value of each of its parameters, in order; those that were not given have their standard values.
  public let values: [String]

  /// Reads a question from its name and the values within its parentheses, each alone or after the parameter's name and a
  /// colon: `owner: a1`.
  ///
  /// - Parameter subject: What a name stands for that is given in place of an account, also after a colon, as in
  ///   `managedApp:ada`; `nil` for no name. ``text`` has the name, ``values`` what it stands for.
  /// - Throws: ``FilterError`` with the nearest name.
  public init(
    _ name: String, _ values: [String], column: Int? = nil, naming subject: (String) -> String? = { _ in nil }
  ) throws(FilterError) {
    let names = Domain.questions.map(\.name)
    guard let form = Domain.questions.first(where: { $0.name == name }) else {
      let near = EditDistance.nearest(to: name, in: names, limit: 1).first
      throw FilterError(
        column: column, "unknown question \"\(name)\"",
        remedy: near.map { "write \(Self.usage(of: $0))" } ?? "write one of \(names.joined(separator: ", "))")
    }
    var given = [String?](repeating: nil, count: form.parameters.count)
    var next = 0
    for value in values {
      let parts = value.split(separator: ":", maxSplits: 1).map { $0.trimmed }
      var place = next
      var word = value
      if parts.count == 2, let named = form.parameters.firstIndex(where: { $0.name == parts[0] }) {
        (place, word) = (named, parts[1])
      } else {
        next += 1
      }
      guard given.indices.contains(place), given[place] == nil else {
        throw FilterError(
          column: column, "\(name) does not take \"\(value)\" in this place", remedy: "write \(Self.usage(of: form))")
      }
      if form.parameters[place].choices.isEmpty {
        let named = word.lastIndex(of: ":").map(word.index(after:)) ?? word.startIndex
        if let subject = subject(String(word[named...])) { word = word[..<named] + subject }
      }
      guard form.parameters[place].accepts(word) else {
        throw FilterError(
          column: column, "\"\(word)\" is not a value of \(form.parameters[place].name)",
          remedy: Self.remedy(for: word, form.parameters[place], form))
      }
      given[place] = word
    }
    var complete: [String] = []
    for (parameter, word) in zip(form.parameters, given) {
      guard let value = word ?? parameter.standard else {
        throw FilterError(
          column: column, "\(parameter.name) is missing in \(name)", remedy: "write \(Self.usage(of: form))")
      }
      complete.append(value)
    }
    guard let question = form.make(complete) else {
      throw FilterError(column: column, "\(name) cannot be asked so", remedy: "write \(Self.usage(of: form))")
    }
    (self.question, self.name, self.values) = (question, name, complete)
    text = values.isEmpty ? name : "\(name)(\(values.map(Self.quoted).joined(separator: ", ")))"
  }

  /// Reads a question as a whole.
  ///
  /// - Parameter subject: What a name stands for that is given in place of an account.
  public init(parsing text: String, naming subject: (String) -> String? = { _ in nil }) throws(FilterError) {
    var parser = try ConditionParser(text)
    guard case .word(let name) = parser.current.kind else {
      throw FilterError(
        column: parser.current.column, "expected a question, found \(parser.current.text)",
        remedy: "write one of \(Domain.questions.map(\.name).joined(separator: ", "))")
    }
    parser.advance()
    try self.init(name, try parser.consumeArguments(), column: 1, naming: subject)
    guard parser.current.kind == .end else {
      throw FilterError(
        column: parser.current.column, "unexpected \(parser.current.text) after the question",
        remedy: "write the question in quotes, so that the shell passes it as one word")
    }
  }

  /// What it can be answered with.
  public var answers: QuestionAnswers? { Domain.questions.first { $0.name == name }?.answers }

  /// How a question is written, with optional values in brackets: `saveTo(location, owner[, account])`.
  public static func usage(of form: QuestionForm<Domain.Question>) -> String {
    var text = ""
    for parameter in form.parameters {
      let separator = text.isEmpty ? "" : ", "
      let name = parameter.name
      text += parameter.standard == nil ? separator + name : "[\(separator)\(name)]"
    }
    return text.isEmpty ? form.name : "\(form.name)(\(text))"
  }

  /// A value as it can be read again.
  private static func quoted(_ value: String) -> String {
    guard value.isEmpty || value.contains(where: { " \t\n(),=!<>\"'".contains($0) }) else { return value }
    guard value.contains("\"") || value.contains("\\") else { return "\"\(value)\"" }
    guard value.contains("'") else { return "'\(value)'" }
    return "\"\(value.replacing("\\", with: "\\\\").replacing("\"", with: "\\\""))\""
  }

  private static func usage(of name: String) -> String {
    Domain.questions.first { $0.name == name }.map(usage) ?? name
  }

  private static func remedy(
    for word: String, _ parameter: QuestionParameter, _ form: QuestionForm<Domain.Question>
  ) -> String {
    guard !parameter.choices.isEmpty else { return "write \(usage(of: form))" }
    let near = EditDistance.nearest(to: word, in: parameter.choices, limit: 1).first
    return near.map { "write \($0)" } ?? "write one of \(parameter.choices.joined(separator: ", "))"
  }
}

extension Substring {
  /// The text without spaces at its ends.
  var trimmed: String {
    var rest = self
    while rest.first == " " { rest.removeFirst() }
    while rest.last == " " { rest.removeLast() }
    return String(rest)
  }
}
