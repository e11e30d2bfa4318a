import CommandLineInterface
import CommandSupport
import EventSourcing
import Forensics
import PageAssets
import PlainText

/// A diagnosis as one HTML page to hand on: the complaint, what is wrong now, what is over, each with its evidence in time and the
/// next steps, and what was withheld. It has no script, and loads nothing.
extension DiagnosisReport {
  /// The most problems that are shown whole; others open when they are chosen, so that two sheets of paper hold the page.
  private static let mostOpen = 3

  /// The page.
  ///
  /// - Parameter notes: Sentences about the whole case.
  func page(
    _ found: [Shown], _ asked: (any ComplaintAnswer)?, _ differences: [HistoryDifference], _ report: FoundProblems,
    notes: [String]
  ) -> String {
    let title = "Case: \(name)"
    let (now, past) = Self.parts(of: found.map(\.ranked))
    var body = "<p class=\"summary\">\(escaped(summary(found.map(\.ranked), report)))</p>\n"
    body += notes.map { "<p>\(escaped($0))</p>\n" }.joined()
    if let asked { body += complaint(asked) }
    body += part("What is wrong now", now, of: found) + part("What is over", past, of: found)
    if let path = context.arguments.value(of: "against") { body += contrast(differences, path) }
    return HTMLText.head(title: title, style: PageAssets.caseStyle, script: "")
      + "<body>\n<main>\n<h1>\(escaped(title))</h1>\n" + body
      + "<footer>\n<h2>What was redacted</h2>\n<p>\(escaped(redacted(body)))</p>\n"
      + "<p class=\"faint\">\(escaped(Tool.current.title))</p>\n</footer>\n</main>\n</body>\n</html>\n"
  }

  /// How a page names the journal.
  var name: String { name(of: journal.path) ?? "journal" }

  /// The last name of a path, because the folders above it may name a person; `nil` where it may not be shown, or the path has none.
  private func name(of path: String) -> String? {
    guard let name = path.split(separator: "/").last(where: { $0 != "." }).map(String.init), name != "..",
      context.redaction.shows(text: name)
    else { return nil }
    return name
  }

  private func escaped(_ text: String) -> String { HTMLText.escaped(TerminalText.visible(text)) }

  /// A text of the history, whose direction does not reach beyond it.
  private func bdi(_ text: String) -> String { "<bdi>\(escaped(text))</bdi>" }

  private func summary(_ found: [RankedProblem], _ report: FoundProblems) -> String {
    let over = found.count(where: \.problem.isOver)
    let counts = "\((found.count - over).counted("problem")) now, \(over) over"
    guard report.last > 0 else { return counts + "." }
    return "\(counts). Judged up to event \(report.last), "
      + "\(CivilTime(nanoseconds: report.lastWallNanoseconds).text)."
  }

  /// What a page leaves out.
  private func redacted(_ body: String) -> String {
    let places = [Privacy.account, .secret].map { context.redaction.placeholder(for: $0) }
    let count = places.map { body.ranges(of: $0).count }.reduce(0, +)
    let marks =
      "\(places[0]) or \(places[1]) stands where a name, an address or a secret was left out: "
      + "\(count == 0 ? "nowhere on this page" : count.counted("time"))."
    guard !context.redaction.revealsAccounts else { return "Names are shown as the history has them. " + marks }
    return (context.environment.tool.domain.hasAccounts ? "Accounts are pseudonyms, such as a1. " : "") + marks
  }

  // MARK: The complaint

  private func complaint(_ asked: any ComplaintAnswer) -> String {
    var text = "<h2>The complaint</h2>\n"
    text += "<p><b>\(escaped(asked.complaint.word))</b>: \(escaped(asked.complaint.meaning)).</p>\n<ul>\n"
    for answer in asked.answers {
      let words = bdi(context.redaction.shown(sentence: answer.words))
      text += "<li\(answer.isReason ? " class=\"reason\"" : "")>\(words)</li>\n"
    }
    text += "</ul>\n"
    return asked.isFounded ? text : text + "<p>No answer became a reason for this complaint.</p>\n"
  }

  private func contrast(_ differences: [HistoryDifference], _ path: String) -> String {
    let name = name(of: path) ?? "the other journal"
    guard !differences.isEmpty else { return "<p>Nothing differs from \(bdi(name)) in kind.</p>\n" }
    var text = "<h2>What differs from \(bdi(name))</h2>\n<table>\n<thead><tr>"
    text +=
      ["What", "Event", "Here", "There"].map { "<th scope=\"col\">\($0)</th>" }.joined() + "</tr></thead>\n<tbody>"
    for difference in differences.prefix(Self.maximumDifferences) {
      let cells = [difference.text, difference.first.map { "\($0)" } ?? "–", difference.here, difference.there]
      text += "<tr>" + cells.map { "<td>\(bdi(context.redaction.shown(sentence: $0)))</td>" }.joined() + "</tr>\n"
    }
    text += "</tbody></table>\n"
    let rest = differences.count - Self.maximumDifferences
    return rest > 0 ? text + "<p>\(rest.counted("more difference is", "more differences are")) left out.</p>\n" : text
  }

  // MARK: Problems

  private func part(_ title: String, _ places: [Int], of found: [Shown]) -> String {
    guard !places.isEmpty else { return "" }
    return "<h2>\(title)</h2>\n" + places.map { problem(found[$0], at: $0, found) }.joined()
  }

  private func problem(_ shown: Shown, at place: Int, _ found: [Shown]) -> String {
    let problem = shown.ranked.problem
    let kind = problem.title.map { "\(problem.kind.id): \($0)" } ?? "\(problem.kind.id): \(problem.kind.title)"
    let heading =
      "<b>\(escaped(problem.severity.name))</b> \(escaped(kind)) <span class=\"faint\">(\(escaped(problem.confidence.name)))</span>"
    let cause = shown.ranked.explainedBy.flatMap { found.indices.contains($0) ? $0 : nil }
    let classes = "\(problem.severity.name)\(cause == nil ? "" : " follows")"
    let content = content(of: shown, at: place, cause.map { ($0, found[$0].ranked.problem.kind.id) })
    guard place >= Self.mostOpen else {
      return "<article id=\"problem-\(place + 1)\" class=\"\(classes)\">\n<h3>\(heading)</h3>\n\(content)</article>\n"
    }
    return
      "<details id=\"problem-\(place + 1)\" class=\"\(classes)\">\n<summary>\(heading)</summary>\n\(content)</details>\n"
  }

  private func content(of shown: Shown, at place: Int, _ cause: (place: Int, family: String)?) -> String {
    let problem = shown.ranked.problem
    let sentence = Self.capitalized(context.redaction.shown(sentence: problem.sentence))
    var text = "<p>\(bdi(sentence)).</p>\n"
    if let cause {
      text += "<p>Follows from <a href=\"#problem-\(cause.place + 1)\">\(escaped(cause.family))</a>.</p>\n"
    }
    let known = [Self.ending(of: problem), span(of: shown)].compactMap(\.self).joined(separator: "; ")
    if !known.isEmpty { text += "<p class=\"faint\">\(bdi(known))</p>\n" }
    text += drawing(of: shown, at: place) + "<ol>\n"
    for (number, evidence) in problem.evidence.enumerated() {
      let (moment, words) = parts(of: evidence, shown.events)
      let time = moment.map { "<time>\(ProblemSpan.time($0).text)</time> " } ?? ""
      let event = evidence.sequence.map { "event \($0)" } ?? "no event"
      text += "<li id=\"evidence-\(place + 1)-\(number + 1)\"\(number == 0 ? " class=\"decides\"" : "")>\(time)"
      text += "<b>\(event)</b>: \(bdi(words))\(number == 0 ? " <em>decides</em>" : "")</li>\n"
    }
    text += "</ol>\n"
    let episodes = ProblemSpan.words(of: problem, about: days)
    if !episodes.isEmpty { text += "<ul>\n" + episodes.map { "<li>\(escaped($0))</li>\n" }.joined() + "</ul>\n" }
    return text + steps(after: shown)
  }

  /// What to do, and what each who can do something does.
  private func steps(after shown: Shown) -> String {
    let problem = shown.ranked.problem
    let next = Self.capitalized(context.redaction.shown(sentence: problem.next))
    var text = "<p><b>Next:</b> \(bdi(next)).</p>\n"
    let steps = complaints?.steps(after: problem) ?? []
    if !steps.isEmpty {
      text += "<dl>" + steps.map { "<dt>\(escaped($0.actor))</dt><dd>\(escaped($0.step))</dd>" }.joined() + "</dl>\n"
    }
    if let command = shown.command { text += "<pre><code>\(escaped(command))</code></pre>\n" }
    return text + "<p class=\"faint\">\(escaped(problem.kind.page))</p>\n"
  }

  /// The evidence on a line of time; empty where all of it is of one moment.
  private func drawing(of shown: Shown, at place: Int) -> String {
    let moments = shown.ranked.problem.evidence.enumerated().compactMap { number, evidence in
      parts(of: evidence, shown.events).moment.map { (number: number, time: $0.wallNanoseconds) }
    }
    guard let first = moments.map(\.time).min(), let last = moments.map(\.time).max(), first < last else { return "" }
    let length = Double(last) - Double(first)
    var text = "<svg viewBox=\"0 0 1000 40\" role=\"group\" aria-label=\"The evidence in time\">"
    text += "<line x1=\"20\" y1=\"20\" x2=\"980\" y2=\"20\"/>"
    // The deciding event is drawn last, above the others.
    for (number, time) in moments.reversed() {
      let x = 20 + Int((Double(time) - Double(first)) / length * 960)
      text += "<a href=\"#evidence-\(place + 1)-\(number + 1)\"\(number == 0 ? " class=\"decides\"" : "")>"
      text += "<circle cx=\"\(x)\" cy=\"20\" r=\"\(number == 0 ? 15 : 11)\"/></a>"
    }
    let ends = [first, last].map { "<time>\(CivilTime(nanoseconds: $0).text)</time>" }
    return text + "</svg>\n<p class=\"ends\">\(ends.joined(separator: "\n"))</p>\n"
  }
}
