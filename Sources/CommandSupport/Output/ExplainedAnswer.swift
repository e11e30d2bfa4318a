import CommandLineInterface
import EventSourcing
import Forensics
import PlainText

/// An answer of the rules, rule by rule, as commands print it.
package struct ExplainedAnswer {
  /// The answer.
  package let answer: QuestionAnswer
  private let steps: [Explanation.Step]
  private let writers: [String: UInt64]
  private let unknown: Set<String>
  private let wording: (Explanation.Read) -> SettingWording?
  private let context: CommandContext

  /// Explains an answer.
  ///
  /// - Parameters:
  ///   - steps: The rules that led to it.
  ///   - writers: The events that set the values at some paths; none where there is no journal.
  ///   - unknown: The paths of values that are not known, and only stand in the state as if they were.
  ///   - wording: A value that a rule read, in the words of the administration portal.
  package init(
    _ answer: QuestionAnswer, _ steps: [Explanation.Step], setBy writers: [String: UInt64] = [:],
    unknown: Set<String> = [], _ context: CommandContext, wording: @escaping (Explanation.Read) -> SettingWording?
  ) {
    (self.answer, self.steps, self.writers, self.context) = (answer, steps, writers, context)
    self.unknown = unknown
    // Words may name a person.
    self.wording = { read in wording(read).flatMap { context.redaction.shows(text: $0.value) ? $0 : nil } }
  }

  /// What a rule read, the event that set it, and the setting that it is.
  package typealias Read = (read: Explanation.Read, writer: UInt64?, setting: SettingWording?, isUnknown: Bool)

  /// A rule that led to the answer.
  package static let rule = JSONRecord<(step: Explanation.Step, reads: [Read])>(
    "rule",
    [
      .init("rule", \.step.rule), .init("statement", \.step.statement), .init("holds", \.step.holds),
      .init("decides", \.step.decides), .init("reads", each: read, \.reads),
    ])

  private static let read: [JSONMember<Read>] = [
    .init("path") { RedactedText.statePath($0.read.path) }, .init("value", \.read.value), .init("setBy", \.writer),
    .init("setting", orNull: setting, \.setting), .ifAny("unknown") { $0.isUnknown ? true : nil },
  ]

  private static let setting: [JSONMember<SettingWording>] = [
    .init("group", \.group), .init("title", \.title), .init("value", \.value),
  ]

  /// A change that leads to another answer.
  package static let change = JSONRecord<AdviceItem>(
    "change",
    [
      .init("texts", \.texts), .init("kinds", \.kinds), .init("answer", \.answer.name),
      .init("rule", \.answer.rule), .init("reason", \.answer.reason),
    ])

  /// Writes the rules, one record each.
  package func write(to lines: JSONLines) {
    lines.add(Self.rule, each: steps.map { step in (step, step.reads.map(record)) })
  }

  private func record(_ read: Explanation.Read) -> Read {
    let isUnknown = unknown.contains(read.path)
    let known = isUnknown ? Explanation.Read(read.path, .unset) : read
    return (known, writers[read.path], isUnknown ? nil : wording(read), isUnknown)
  }

  /// Prints the answer and the rules.
  package func printText() {
    let output = context.output
    output.foldForReading()
    output.line(context.style.bold(TerminalText.visible(answer.name)) + "  " + Self.because(answer), hanging: 4)
    let rules = Self.rules(of: steps)
    let width = "\(rules.count)".count
    let margin = String(repeating: " ", count: width + 5)
    for (index, step) in rules.enumerated() {
      let number = String(repeating: " ", count: width - "\(index + 1)".count) + "\(index + 1)"
      let mark = step.reads.contains { unknown.contains($0.path) } ? "?" : step.holds ? "✓" : "✗"
      output.line(
        "\(number)  \(mark)  \(TerminalText.visible(step.statement))"
          + (step.decides ? "  ← decides" : ""), hanging: margin.count)
      for read in step.reads {
        output.line(margin + context.style.dim(text(of: read)), hanging: margin.count + 2)
        if !unknown.contains(read.path), let wording = wording(read) {
          output.line(
            margin + "  " + context.style.dim(TerminalText.visible("\(wording.title): \(wording.value)")),
            hanging: margin.count + 4)
        }
      }
    }
  }

  /// Prints the assumption on which the answer rests, if it does.
  package func printAssumption() {
    guard let assumption = answer.assumption else { return }
    context.output.line("It rests on the assumption \(assumption), which settles what no source publishes.")
  }

  /// `/policies/a1/pinRequired = true, set by event 7`.
  private func text(of read: Explanation.Read) -> String {
    let value = unknown.contains(read.path) ? "unknown" : ValueText(context.redaction).text(read.value)
    return TerminalText.visible("\(context.redaction.shown(statePath: read.path)) = \(value)")
      + (writers[read.path].map { ", set by event \($0)" } ?? "")
  }

  /// The rules, each once: one that is checked against several settings, such as a minimum for access and another one for a
  /// wipe, has all that these checks read, and holds where one of them does.
  private static func rules(of steps: [Explanation.Step]) -> [Explanation.Step] {
    var rules: [Explanation.Step] = []
    for step in steps {
      guard let place = rules.firstIndex(where: { $0.rule == step.rule && $0.statement == step.statement }) else {
        rules.append(step)
        continue
      }
      rules[place].holds = rules[place].holds || step.holds
      rules[place].decides = rules[place].decides || step.decides
      rules[place].reads += step.reads.filter { !rules[place].reads.contains($0) }
    }
    return rules
  }

  /// The reason of an answer, with its rule.
  package static func because(_ answer: QuestionAnswer) -> String {
    TerminalText.visible(answer.reason + (answer.rule.map { " (\($0))" } ?? ""))
  }

  /// Shows what to change to get another answer.
  ///
  /// - Parameters:
  ///   - count: How many changes were tried.
  ///   - what: What is changed, such as `of a setting or of the device`; empty where the domain does not say.
  package static func show(_ items: [AdviceItem], tried count: Int, _ what: String, _ context: CommandContext) {
    let items = items.filter { $0.texts.allSatisfy { context.redaction.shows(text: $0) } }
    context.show(change, each: items) {
      // A domain may know of nothing that could be changed.
      guard count > 0 || !what.isEmpty else { return }
      context.output.foldForReading()
      guard !items.isEmpty else {
        context.output.line(
          "No change \(what.isEmpty ? "" : what + " ")that was tried leads to another answer (\(count) tried).")
        return
      }
      context.output.line("To get another answer\(items.count > 1 ? ", one of" : ""):")
      for item in items {
        context.output.line(
          TerminalText.visible("  \(item.texts.joined(separator: ", and ")): \(item.answer.name)"), hanging: 4)
      }
    }
  }
}
