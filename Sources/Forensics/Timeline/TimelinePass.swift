import EventSourcing
import Journal
import PlainText

/// One pass over a history that draws its timeline.
@usableFromInline
struct TimelinePass<Domain: QuestionDomain> {
  @usableFromInline var timeline = Timeline()
  private var lanes = LaneTable(Domain.timeline)
  private let values: ValueText
  /// Says what events mean.
  private let headlines: EventHeadline<Domain>
  private let printer: EventPrinter
  private let differ = StateDiffer(rank: Domain.headlineRank)
  private var kinds: [String: Int] = [:]
  /// The span that is open on each lane, and the value's text.
  private var open: [Int: (span: Int, text: Int)] = [:]
  /// The event that last changed each value.
  private var writers: [String: UInt64] = [:]
  private var answers: [Timeline.Answer: Int] = [:]
  private var asked: [String: QuestionText<Domain>?] = [:]
  private var axis = TimelineAxis()
  private var processes = ProcessSpans()
  private var knowsState = false
  private var named: Set<String> = []

  @usableFromInline
  init(_ redaction: Redaction) {
    values = ValueText(redaction)
    headlines = EventHeadline(values)
    printer = EventPrinter(Domain.Event.catalog, redaction)
  }

  @usableFromInline
  mutating func add(_ item: LogItem<Domain>) {
    switch item {
    case .event(let step): add(step)
    case .clockJump(let jump): mark(.clock, .warning, "clock changed", jump.text)
    case .finding(let finding):
      timeline.add(Timeline.Mark(finding, place: timeline.events.count))
    case .retiredBeginning(let beginning): mark(.damage, .plain, "retired events", beginning.text)
    case .stateUnknown(let error):
      timeline.obstacle = error
      mark(.damage, .bad, "state unknown", "from here on, states and changes are unknown: \(error.message)")
      for (_, span) in open { timeline.spans[span.span].last = max(timeline.events.count - 1, 0) }
      open = [:]
    }
  }

  private mutating func mark(_ kind: Timeline.Mark.Kind, _ tone: LaneTone, _ title: String, _ text: String) {
    timeline.add(Timeline.Mark(kind, tone, place: timeline.events.count, title, text))
  }

  private mutating func add(_ step: HistoryStep<Domain>) {
    let (record, index) = (step.record, timeline.events.count)
    beginKnowing(step)
    let diff = step.changes(differ)
    let changed = diff.map { follow($0, at: index, of: record.sequence) } ?? []
    let printed = PrintedEvent(record)
    let accounts = printer.accounts(of: printed).map(EventAccounts.pseudonym)
    if values.redaction.revealsAccounts, let state = step.after { name(accounts, in: state) }
    let lane =
      record.otherDomain.map { lanes.lane(ofForeignType: record.typeName, in: $0) }
      ?? lanes.lane(ofType: record.typeName, account: accounts.first, changed: changed)
    processes.add(
      record.envelope.process, at: index,
      isStart: record.otherDomain == nil && record.envelope.type == Domain.processStart,
      isEnd: record.otherDomain == nil && record.envelope.type == Domain.timeline.processEnd)
    let findings = (step.findings ?? []).map { ($0.rule, values.redaction.shown(sentence: "\($0)")) }
    var details = EventDetails(values)
    details.add(record, diff, findings, to: &timeline.texts)
    let headline = String(utf8: { bytes in
      let changes = diff ?? StateDiff()
      if let others = headlines.append(record, changing: changes, to: &bytes) {
        EventSummary.append(others: others, to: &bytes)
      } else {
        EventSummary(changes, of: Domain.self, type: record.typeName)
          .appendLine(values, to: &bytes) { printer.appendSummary(of: printed, to: &$0) }
      }
    })
    timeline.events.append(
      Timeline.Event(
        sequence: record.sequence, wallNanoseconds: record.envelope.moment.wallNanoseconds,
        axisMicroseconds: axis.place(of: record.envelope), type: kind(of: record), lane: lane,
        accounts: Int(timeline.texts.place(of: accounts.joined(separator: ", "))),
        headline: Int(timeline.texts.place(of: headline)), sections: details.sections,
        explanations: diff.map { explanations($0, step) } ?? []))
    for (rule, text) in findings {
      timeline.add(
        Timeline.Mark(.finding, .warning, place: index, rule, text, next: "pj help \(rule)", evidence: [index]))
    }
  }

  /// Opens the spans of the first state that is known.
  private mutating func beginKnowing(_ step: HistoryStep<Domain>) {
    guard !knowsState, let state = step.before ?? step.after else { return }
    knowsState = true
    let first = step.before == nil ? timeline.events.count : timeline.events.count - 1
    for leaf in state.tree().leaves() where leaf.value != .unset {
      guard let place = lanes.place(of: leaf.path) else { continue }
      begin(place, leaf.value, at: first)
    }
  }

  /// Ends and begins spans as values change; returns the lanes whose values did.
  private mutating func follow(_ diff: StateDiff, at index: Int, of sequence: UInt64) -> [Int] {
    var changed: [Int] = []
    for change in diff.changes {
      writers[change.path] = sequence
      guard let place = lanes.place(of: change.path) else { continue }
      changed.append(place.lane)
      if let last = open.removeValue(forKey: place.lane) { timeline.spans[last.span].last = index }
      if let value = change.after { begin(place, value, at: index) }
    }
    return changed
  }

  private mutating func begin(_ place: LaneTable.Place, _ value: StateValue, at index: Int) {
    let (text, rule) = (values.text(value), place.rule)
    let tone = rule.tones.isEmpty ? LaneTone.distinct : rule.tones[text] ?? .plain
    let shown = rule.text == "*" ? text : rule.text.replacing("*", with: text)
    let span = Timeline.Span(
      lane: place.lane, text: Int(timeline.texts.place(of: shown)), tone: tone, first: index, last: nil)
    open[place.lane] = (timeline.spans.count, span.text)
    timeline.spans.append(span)
  }

  /// Names accounts on their lanes once they are known.
  private mutating func name(_ accounts: [String], in state: Domain.State) {
    for account in accounts where !named.contains(account) {
      guard let number = UInt64(account.dropFirst(EventAccounts.kind.prefix.count)) else { continue }
      let names = AccountNames(ofAccount: number, in: state, of: Domain.self)
      if !names.identities.isEmpty { named.insert(account) }
      lanes.name(account: account, names.identities.map(values.redaction.shown(sentence:)))
    }
  }

  private mutating func kind(of record: RecordedEvent<Domain.Event>) -> Int {
    let name = record.typeName
    if let known = kinds[name] { return known }
    let descriptor = record.descriptor
    timeline.kinds.append(
      Timeline.Kind(
        name: VisibleText.of(name, limit: 80),
        meaning: VisibleText.of(descriptor?.meaning ?? "This program does not know the event's type.", limit: 400),
        remedy: VisibleText.of(descriptor?.remedy ?? "", limit: 400)))
    kinds[name] = timeline.kinds.count - 1
    return timeline.kinds.count - 1
  }

  /// The answers to the questions that the changes raise, after the event.
  private mutating func explanations(_ diff: StateDiff, _ step: HistoryStep<Domain>) -> [Int] {
    var texts: [String] = []
    for change in diff.changes {
      for text in lanes.questions(about: change.path) where !texts.contains(text) && texts.count < 4 {
        texts.append(text)
      }
    }
    guard !texts.isEmpty, let state = step.after else { return [] }
    return texts.compactMap { text in
      guard let question = question(text) else { return nil }
      guard timeline.answers.count < Timeline.maximumAnswers else {
        timeline.lacksAnswers = true
        return nil
      }
      return place(of: answer(question, in: state, at: step.record.envelope.moment))
    }
  }

  private mutating func question(_ text: String) -> QuestionText<Domain>? {
    if let known = asked[text] { return known }
    let question = try? QuestionText<Domain>(parsing: text)
    if asked.count < Timeline.maximumAnswers { asked[text] = .some(question) }
    return question
  }

  private mutating func answer(
    _ question: QuestionText<Domain>, in state: Domain.State, at moment: Moment
  ) -> Timeline.Answer {
    var explanation = Explanation(recording: true)
    let answer = Domain.answer(question.question, in: state, at: moment, explanation: &explanation)
    var head = [question.text, answer.name, answer.reason + (answer.rule.map { " (\($0))" } ?? "")]
      .map { timeline.texts.place(of: $0) }
    if let assumption = answer.assumption { head.append(timeline.texts.place(of: assumption)) }
    var rows: [[Int64]] = []
    for step in explanation.steps {
      let flags: Int64 = (step.holds ? 1 : 0) + (step.decides ? 2 : 0)
      let statement = Int64(timeline.texts.place(of: step.statement))
      if step.reads.isEmpty { rows.append([statement, -1, -1, 0, flags]) }
      for read in step.reads {
        let (path, value) = (
          timeline.texts.place(of: values.redaction.shown(statePath: read.path)),
          timeline.texts.place(of: values.text(read.value))
        )
        rows.append([statement, Int64(path), Int64(value), Int64(clamping: writers[read.path] ?? 0), flags])
      }
    }
    return Timeline.Answer(head: head, rows: rows)
  }

  private mutating func place(of answer: Timeline.Answer) -> Int {
    if let known = answers[answer] { return known }
    timeline.answers.append(answer)
    answers[answer] = timeline.answers.count - 1
    return timeline.answers.count - 1
  }

  /// The timeline, with the lanes of processes and of the clock.
  @usableFromInline
  consuming func finished() -> Timeline {
    for process in processes.placed() {
      let lane = lanes.lane(process.row == 0 ? "process" : "process \(process.row + 1)", in: lanes.clockGroup)
      let text = Int(timeline.texts.place(of: process.text))
      timeline.spans.append(
        Timeline.Span(lane: lane, text: text, tone: process.tone, first: process.first, last: process.last))
    }
    if timeline.marks.contains(where: { $0.kind != .finding }) { _ = lanes.lane("clock", in: lanes.clockGroup) }
    (timeline.groups, timeline.lanes) = (lanes.groups, lanes.lanes)
    return timeline
  }
}
