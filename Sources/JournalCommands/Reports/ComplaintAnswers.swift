import AppProtection
import AppProtectionInsight
import CommandLineInterface
import CommandSupport
import EventSourcing
import Forensics
import PlainText
import ProtectionSupport
import ReplayTool

/// What the users of an app with app protection complain about.
struct ProtectionComplaints: ComplaintBook {
  var words: [String] { Complaint.allCases.map(\.rawValue) }

  var records: [any JSONRecordKind] { [ComplaintAnswers.record, ComplaintAnswers.Row.record] }

  func families(of word: String) -> [String] { Complaint(rawValue: word)?.families.map(\.id) ?? [] }

  func steps(after problem: FoundProblem) -> [(actor: String, step: String)] {
    // Codes may share a step, and differ in what the others do. The title of a family may name its code.
    let same = StatusAdvice.table.filter { $0.next == problem.next }
    let rows =
      same.isEmpty ? StatusAdvice.table.filter { problem.kind.title.contains("(\($0.code.rawValue))") } : same
    guard rows.count == 1, let advice = rows.first else { return [] }
    return [("user", advice.user), ("administrator", advice.administrator), ("developer", advice.developer)]
  }

  func ask(
    _ word: String, of journal: JournalInput, from lower: UInt64, upTo last: UInt64
  ) throws(Failure) -> (any ComplaintAnswer)? {
    guard let complaint = Complaint(rawValue: word) else { return nil }
    return try ComplaintAnswers(complaint, journal, from: lower, upTo: last)
  }
}

/// The answers throughout a history to the questions that a complaint raises.
struct ComplaintAnswers: ComplaintAnswer {
  typealias Answers = AnswerHistory<AppProtectionMachine>

  /// One question.
  struct Row {
    let question: QuestionText<AppProtectionMachine>
    /// The answers that are no reason to complain.
    let usual: Set<String>
    fileprivate(set) var answers: Answers?
    /// The first answer that is a reason to complain and was not there from the beginning; `nil` if there is none.
    fileprivate(set) var change: Answers.Interval?
    /// How often such an answer came.
    fileprivate(set) var changeCount = 0
    fileprivate var wasUsual = false

    fileprivate mutating func add(_ interval: Answers.Interval) {
      let isUsual = usual.contains(interval.answer.name)
      if wasUsual, !isUsual {
        change = change ?? interval
        changeCount += 1
      }
      wasUsual = isUsual
    }
  }

  /// The most accounts that are asked about, and the most keys of app configurations of each.
  private static let maximumCount = 8

  private let kind: Complaint
  private(set) var rows: [Row] = []

  /// Whether an answer became a reason to complain.
  var isFounded: Bool { rows.contains { $0.change != nil } }

  /// Whether the answer at the end became one, and stays.
  var isFoundedNow: Bool {
    rows.contains { row in row.change != nil && row.answers.map { !row.usual.contains($0.current.answer.name) } ?? false
    }
  }

  /// Asks the questions about the accounts that are known at the end.
  init(_ complaint: Complaint, _ journal: JournalInput, from lower: UInt64, upTo last: UInt64) throws(Failure) {
    kind = complaint
    guard last > 0, let end = try? journal.protectionHistory.state(at: .sequence(last)).state else { return }
    journal.begin("asking")
    do throws(HistoryError) {
      let start = try journal.states.beginning(after: max(lower, 1) - 1)
      let keys = complaint == .configuration ? try Self.keys(journal.protectionHistory, upTo: last) : [:]
      rows = end.accounts.records.prefix(Self.maximumCount).flatMap { record in
        complaint.inquiries(about: record.account, keys: keys[record.account] ?? []).compactMap { inquiry in
          let question = try? QuestionText<AppProtectionMachine>(inquiry.name, inquiry.values)
          return question.map { Row(question: $0, usual: inquiry.usual) }
        }
      }
      var found = rows
      let read = try Answers.answers(
        to: rows.map(\.question.question), in: journal.protectionHistory, from: start.state.protection,
        after: (start.sequence, start.moment),
        upTo: last
      ) { found[$0].add($1) }
      for place in found.indices { found[place].answers = read[place] }
      rows = found
    } catch {
      throw Failure(error, journal: journal.path)
    }
  }

  var complaint: (word: String, meaning: String) { (kind.rawValue, kind.meaning) }

  var answers: [(isReason: Bool, words: String)] { rows.map { ($0.change != nil, $0.words) } }

  func add(to lines: JSONLines) {
    lines.add(Self.record, kind)
    lines.add(Row.record, each: rows)
  }

  func print(_ context: CommandContext) {
    context.output.line()
    context.output.line(
      context.style.bold("Asked about \"\(complaint.word)\"") + ": \(complaint.meaning)")
    if rows.isEmpty { context.output.line("  no account is known, so that there is nothing to ask") }
    for answer in answers {
      context.output.line(
        "  \(answer.isReason ? "≠" : "=")  " + TerminalText.visible(context.redaction.shown(sentence: answer.words)),
        hanging: 7)
    }
    if !rows.isEmpty, !isFounded { context.output.line("No answer became a reason for this complaint.") }
  }

  static let record = JSONRecord<Complaint>(
    "complaint",
    [.init("complaint", \.rawValue), .init("meaning", \.meaning), .init("families") { $0.families.map(\.id) }])

  /// The keys of the configurations that were delivered to accounts, without those that are secrets.
  private static func keys(
    _ history: History<AppProtectionMachine>, upTo last: UInt64
  ) throws(HistoryError) -> [AccountNumber: [String]] {
    var keys: [AccountNumber: [String]] = [:]
    var cursor = try history.events(after: max(history.firstSequence, 1) - 1)
    while let item = try cursor.next() {
      guard case .event(let step) = item else { continue }
      if step.record.sequence > last { break }
      guard case .configurationReceived(let event)? = step.record.event else { continue }
      for value in event.entries.flatMap(\.values) where !value.isKeySecret && value.isReadable {
        let known = keys[event.account] ?? []
        if known.count < maximumCount, !known.contains(value.key) { keys[event.account] = known + [value.key] }
      }
    }
    return keys
  }
}

extension ComplaintAnswers.Row {
  /// `launch(a1)  block since event 41 launch.evaluated, 2026-10-06T09:00:00Z, because …`.
  var words: String {
    guard let answers else { return question.text }
    let (now, since) = (answers.current.answer, answers.firstWithAnswer)
    var words = "\(question.text)  \(now.name)"
    words += since.type.isEmpty ? " throughout" : " since \(Self.place(since))"
    // The reason may have changed while the answer stayed.
    words += answers.current.first == since.first ? ", because" : "; now because"
    words += " \(now.reason)" + (now.rule.map { " (\($0))" } ?? "")
    if let change, change.first != since.first || changeCount > 1 {
      let reason = change.answer.reason + (change.answer.rule.map { " (\($0))" } ?? "")
      words += "; first \(change.answer.name) at \(Self.place(change)), because \(reason)"
      if changeCount > 1 { words += "; \(changeCount) times in all" }
    }
    return words
  }

  private static func place(_ interval: ComplaintAnswers.Answers.Interval) -> String {
    let time = interval.wallNanoseconds.map { ", " + CivilTime(nanoseconds: $0).text } ?? ""
    return "event \(interval.first) \(interval.type)\(time)"
  }

  /// What `-j` writes of it.
  static let record = JSONRecord<ComplaintAnswers.Row>(
    "question",
    [
      .init("question") { RedactedText.sentence($0.question.text) }, .init("answer", \.answers?.current.answer.name),
      .init("rule", \.answers?.current.answer.rule),
      .init("reason") { row in row.answers.map { RedactedText.sentence($0.current.answer.reason) } },
      .init("isUsual") { row in row.answers.map { row.usual.contains($0.current.answer.name) } ?? false },
      .init("since", orNull: interval) { $0.answers?.firstWithAnswer },
      .init("change", orNull: interval, \.change), .init("changes", \.changeCount),
    ])

  private static let interval: [JSONMember<ComplaintAnswers.Answers.Interval>] =
    [
      .init("event", \.first), .init("type") { $0.type.isEmpty ? nil : $0.type },
      .init("time") { $0.wallNanoseconds.map { CivilTime(nanoseconds: $0) } },
    ] + QuestionAnswer.members.of(\.answer)
}
