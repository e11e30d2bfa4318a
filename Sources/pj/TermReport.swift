import CommandLineInterface
import CommandSupport
import PlainText

/// What `pj help TERM` prints: terms in full, or the list of those that a word may mean.
struct TermReport {
  private let context: CommandContext
  private let table: CommandLineTool
  /// As it was asked for.
  private let subject: String

  /// The most terms that a list names.
  private static let most = 40
  /// The most related terms that are named below one.
  private static let mostRelated = 6

  init(_ subject: String, _ table: CommandLineTool, _ context: CommandContext) {
    (self.subject, self.table, self.context) = (subject, table, context)
  }

  /// What `-j` writes.
  static let records = JSONOutput<String, Int>(
    "help", start: [.init("subject") { $0 }], [term, match], end: [.init("terms") { $0 }])

  private static let members: [JSONMember<Term>] = [
    .init("name", \.name), .init("type", oneOf: Term.Kind.allCases.map(\.rawValue)) { $0.kind.rawValue },
    .init("summary", \.summary), .init("page", \.page),
  ]

  private static let term = JSONRecord<Term>(
    "term",
    members + [
      .init("names", \.aliases), .init("sections", each: section) { sections(of: $0) },
    ])

  /// A paragraph, and the facts below it.
  private typealias Section = (text: String?, facts: [HelpBlock.Definition])

  private static let section: [JSONMember<Section>] = [
    .init("text", \.text), .init("facts", each: fact, \.facts),
  ]

  private static let fact: [JSONMember<HelpBlock.Definition>] = [.init("term", \.term), .init("meaning", \.meaning)]

  private static let match = JSONRecord<Term>("match", members + [.init("command") { command(for: $0) }])

  private static func sections(of term: Term) -> [Section] {
    var sections: [Section] = []
    for block in term.body() {
      switch block {
      case .paragraph(let text): sections.append((text, []))
      case .definitions(let facts):
        if sections.last?.facts.isEmpty ?? true, sections.last?.text?.hasSuffix(":") ?? false {
          sections[sections.count - 1].facts = facts
        } else {
          sections.append((nil, facts))
        }
      case .preformatted, .exitCodes: break
      }
    }
    return sections
  }

  /// Everything that is said of a term, for a search.
  static func text(of term: Term) -> String {
    sections(of: term).map { section in
      ([section.text ?? ""] + section.facts.map { "\($0.term) \($0.meaning)" }).joined(separator: " ")
    }.joined(separator: " ")
  }

  /// The command that shows a term alone.
  ///
  /// - Parameter others: Terms that are known without a table, such as those of a number.
  private static func command(for term: Term, among others: [Term] = []) -> String {
    let kinds = (Terms.named(term.name) + others.filter { $0.name == term.name }).map(\.kind)
    let kind = Set(kinds).count > 1 || term.kind == .sentence ? " --kind \(term.kind.rawValue)" : ""
    return "pj help \(term.name.shellWord)\(kind)"
  }

  /// What a list says of a term: what it is, or, where that is only its kind, what its text begins with.
  static func line(of term: Term) -> String {
    let sections = sections(of: term)
    guard term.summary.contains(term.kind.name) else {
      // The name of a code says less than what follows from it.
      let consequence = term.kind == .code ? sections.first?.text.map { " " + $0 } ?? "" : ""
      return Term.sentence("\(term.kind.name): \(term.summary)") + consequence
    }
    // Rules of one table share the statement, and differ in what they answer.
    let answers = term.kind == .rule ? sections.flatMap(\.facts).map { "\($0.term): \($0.meaning)" } : []
    let text = sections.first?.text ?? sections.first?.facts.first?.meaning ?? ""
    return ([Term.sentence(term.summary)] + (answers.isEmpty ? [text] : answers)).joined(separator: " ")
  }

  /// Prints terms in full.
  func print(_ terms: [Term]) -> ExitCode {
    context.begin(Self.records, subject)
    context.show(Self.term, each: terms) {
      for (place, term) in terms.enumerated() {
        if place > 0 { context.output.line() }
        show(term.topic, after(term, terms))
      }
    }
    context.end(Self.records, terms.count, .done)
    return .done
  }

  /// What stands below a term: where to read on, and how it is shown alone.
  private func after(_ term: Term, _ terms: [Term]) -> [HelpBlock] {
    guard terms.count == 1 else {
      return [.paragraph("Alone: \(Self.command(for: term, among: terms))")]
    }
    let related = Terms.related(to: term).map(\.name).prefix(Self.mostRelated)
    return related.isEmpty ? [] : [.paragraph("See also: \(related.joined(separator: ", ")).")]
  }

  /// Prints the list of the terms that may be meant, each with the command that shows it.
  func printList(_ terms: [Term]) -> ExitCode {
    context.begin(Self.records, subject)
    context.show(Self.match, each: terms) {
      let shown = terms.prefix(Self.most)
      let more = terms.count - shown.count
      show(
        HelpTopic(
          TerminalText.visible(subject), terms.count.counted("term"),
          [.definitions(shown.map { .init(Self.command(for: $0), Self.line(of: $0)) })]),
        more == 0 ? [] : [.paragraph("\(more) more: add a word, or --kind.")])
    }
    context.end(Self.records, terms.count, .done)
    return .done
  }

  private func show(_ topic: HelpTopic, _ rest: [HelpBlock]) {
    let whole = HelpTopic(topic.name, topic.summary, topic.body() + rest)
    context.output.page(table.text(of: whole, width: context.environment.width, style: context.style))
  }
}
