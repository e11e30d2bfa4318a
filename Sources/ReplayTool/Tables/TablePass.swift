import CommandSupport
import EventSourcing
import Forensics
import Journal
import JSON
import PlainText

/// Writes journals into tables, one after the other. Memory does not grow with their number, nor with their length.
struct TablePass {
  /// What became of a journal.
  struct Outcome {
    /// Its path as it was named.
    let path: String
    var events: UInt64 = 0
    var lost: UInt64 = 0
    var findings: UInt64 = 0
    var exit = ExitCode.done
    /// Why not everything was read.
    var error: String?
    /// What to type next; `nil` where everything was read.
    var next: String?

    fileprivate(set) var id: JournalID?
    fileprivate var domain: String?
    fileprivate var first: Mark?
    fileprivate var last: Mark?

    init(_ path: String) { self.path = path }
  }

  /// An event, when it was decided, and the versions at that time.
  fileprivate struct Mark {
    var sequence: UInt64
    var nanoseconds: Int64?
    /// Those of the app, the engine, the system and the model, as they are shown.
    var versions: [String?]
  }

  private let folder: TableFolder
  private let pseudonyms: Pseudonyms?
  private let context: CommandContext
  private let domain: AnyDomain
  private var journals, events, changes, findings: TableRow

  /// - Parameter pseudonyms: Replaces what is personal; `nil` to write everything but secrets.
  init(_ folder: TableFolder, _ pseudonyms: Pseudonyms?, _ context: CommandContext) {
    (self.folder, self.pseudonyms, self.context) = (folder, pseudonyms, context)
    domain = context.environment.tool.domain
    (journals, events) = (TableRow(of: .journals, in: domain), TableRow(of: .events, in: domain))
    (changes, findings) = (TableRow(of: .changes, in: domain), TableRow(of: .findings, in: domain))
  }

  /// Writes the rows of every journal that a file or folder holds. One that cannot be read has a row in `journals` that says why.
  mutating func add(_ unit: FleetWalk.Unit) -> [Outcome] {
    let path = unit.path
    // What was unpacked of it is in memory as long as its door.
    var environment = context.environment
    let door = MountedJournals(environment)
    environment.fileSystem = door
    var outcomes: [Outcome] = []
    do throws(Failure) {
      if let refusal = unit.refusal {
        throw Failure(.unreadable, "\(path): \(refusal)", next: "ls -ld \(path.shellWord)")
      }
      for journal in try door.openAll(path) where !folder.hasFailed { outcomes.append(add(journal, environment)) }
    } catch {
      var outcome = Outcome(path)
      note(error, &outcome)
      write(outcome, shown(path))
      outcomes.append(outcome)
    }
    for note in door.ignored { context.note(note) }
    return outcomes
  }

  private mutating func add(_ path: String, _ environment: ToolEnvironment) -> Outcome {
    var outcome = Outcome(path)
    let name = shown(path)
    do throws(Failure) {
      let journal = try JournalInput(path, environment)
      outcome.id = journal.history.reader.identity.id
      outcome.domain = journal.history.reader.domain
      try write(journal, name, &outcome)
    } catch {
      note(error, &outcome)
    }
    write(outcome, name)
    return outcome
  }

  private func shown(_ text: String) -> String { pseudonyms?.shown(text) ?? Self.withoutSecrets(text) }

  private static let noVersions = [String?](repeating: nil, count: 4)

  private func shown(_ surroundings: HistoryEnvironment?) -> [String?] {
    guard let surroundings else { return Self.noVersions }
    return [surroundings.app, surroundings.engine, surroundings.system, surroundings.model].map { name in
      name.flatMap { $0.isEmpty ? nil : shown($0) }
    }
  }

  private static func withoutSecrets(_ text: String) -> String { Redaction.revealing.shown(text) ?? text }

  // MARK: One journal

  private mutating func write(_ journal: JournalInput, _ name: String, _ outcome: inout Outcome) throws(Failure) {
    let damage = try journal.trust.findings() + journal.trust.lossesAround(from: 1, upTo: nil)
    let diagnosis = try journal.diagnosis(from: 1, upTo: nil, damage: damage)
    for finding in damage { write(finding, name, &outcome) }
    // What is known of the deciding events once they are read.
    var marks: [UInt64: Mark] = [:]
    let deciding = Set(diagnosis?.problems.compactMap { Self.event(of: $0.problem) } ?? [])
    let reader = journal.history.reader
    let known = max(reader.durableSequence, reader.identity.isSalvaged ? try journal.trust.report().lastSequence : 0)
    var obstacle = diagnosis?.obstacle
    journal.begin("writing")
    do throws(HistoryError) {
      let log = try journal.history.redacted(pseudonyms)
      var last = reader.start.sequence
      var surroundings: HistoryEnvironment?
      var versions = Self.noVersions
      while let event = try log.next(), !folder.hasFailed {
        let record = event.record
        outcome.lost += record.sequence - min(record.sequence, last + 1)
        last = record.sequence
        if case .lost = record.content {
          outcome.lost += 1
          continue
        }
        if event.surroundings != surroundings {
          surroundings = event.surroundings
          versions = shown(surroundings)
        }
        let mark = Mark(
          sequence: record.sequence,
          nanoseconds: event.envelope.type == 0 ? nil : event.envelope.moment.wallNanoseconds,
          versions: versions)
        if outcome.first == nil { outcome.first = mark }
        outcome.last = mark
        if deciding.contains(record.sequence) { marks[record.sequence] = mark }
        write(event, mark, log, name)
        outcome.events += 1
        for mistake in event.mistakes { write(mistake, mark, name, &outcome) }
      }
      outcome.lost += known - min(known, last)
      obstacle = obstacle ?? log.obstacle
    } catch {
      note(Failure(error, journal: journal.path), &outcome)
    }
    let before = outcome.findings
    for ranked in diagnosis?.problems ?? [] { write(ranked.problem, ranked.explainedBy, marks, before, name, &outcome) }
    let code = FindingNotes.exitCode(damage, obstacle)
    guard code != .done, outcome.error == nil else { return }
    if let obstacle {
      note(Failure(obstacle, journal: journal.path), &outcome)
    } else {
      outcome.error = "\(journal.path): \(FindingNotes.count(damage))"
    }
    (outcome.exit, outcome.next) = (
      Self.exit(code), FindingNotes.nextStep(damage, journal.path, obstacle: obstacle)
    )
  }

  private func note(_ failure: Failure, _ outcome: inout Outcome) {
    (outcome.exit, outcome.error, outcome.next) = (Self.exit(failure.exitCode), failure.message, failure.next)
  }

  /// How a journal ends: a folder in an archive was not typed, so it is not wrong use.
  private static func exit(_ code: ExitCode) -> ExitCode {
    switch code {
    case .partial, .different: .partial
    case .needsNewerTool: .needsNewerTool
    case .done, .wrongUse, .unreadable, .commandFailed, .bug, .interrupted: .unreadable
    }
  }

  /// The event that decides a problem, or else the first one that proves it.
  private static func event(of problem: FoundProblem) -> UInt64? { problem.evidence.lazy.compactMap(\.sequence).first }

  // MARK: Rows

  private mutating func write(_ outcome: Outcome, _ name: String) {
    journals.begin()
    journals.append(name)
    journals.append(outcome.id.map { "\($0)" })
    journals.append(outcome.domain)
    journals.append(outcome.events)
    journals.append(outcome.lost)
    journals.append(outcome.first?.sequence)
    journals.append(outcome.last?.sequence)
    journals.append(time: outcome.first?.nanoseconds)
    journals.append(time: outcome.last?.nanoseconds)
    journals.append(texts: outcome.last?.versions ?? Self.noVersions)
    journals.append(pseudonyms != nil)
    journals.append(outcome.exit.rawValue)
    journals.append(outcome.error.map { pseudonyms?.shown(error: $0, of: outcome.path) ?? Self.withoutSecrets($0) })
    journals.end()
    folder.write(journals, to: .journals)
  }

  private mutating func write(_ event: RedactedEvent, _ mark: Mark, _ log: RedactedEvents, _ name: String) {
    let (envelope, type) = (event.envelope, event.typeName)
    events.begin()
    events.append(name)
    events.append(mark.sequence)
    events.append(time: mark.nanoseconds)
    events.append(envelope.moment.uptimeNanoseconds)
    events.append(type)
    events.append(envelope.type)
    events.append(envelope.version)
    events.append(event.record.isUnderstood)
    events.append(list: event.accounts) { JSONEscaping.append($0, to: &$1) }
    events.append(envelope.cause)
    events.append(envelope.correlation)
    events.append(envelope.process)
    events.append(texts: mark.versions)
    events.append { $0.append(contentsOf: event.fields) }
    events.append(event.changes?.changes.count)
    events.append(envelope.attributes.flatMap { $0.stream.isEmpty ? nil : Self.withoutSecrets($0.stream) })
    events.append(list: envelope.attributes?.metadata ?? []) { entry, bytes in
      bytes.append(literal: "{\"key\":")
      JSONEscaping.append(entry.key, to: &bytes)
      bytes.append(literal: ",\"value\":")
      JSONEscaping.append(Self.withoutSecrets(entry.value), to: &bytes)
      bytes.append(UInt8(ascii: "}"))
    }
    events.end()
    folder.write(events, to: .events)
    for change in event.changes?.changes ?? [] {
      changes.begin()
      changes.append(name)
      changes.append(mark.sequence)
      changes.append(time: mark.nanoseconds)
      changes.append(type)
      // A redacted one is as in an export; revealed, a key may still be a link with a signature.
      changes.append(pseudonyms == nil ? Redaction.revealing.shown(statePath: change.path) : change.path)
      changes.append { log.values.append(change.before, to: &$0) }
      changes.append { log.values.append(change.after, to: &$0) }
      changes.end()
      folder.write(changes, to: .changes)
    }
  }

  private mutating func write(_ finding: Finding, _ name: String, _ outcome: inout Outcome) {
    begin(kind: "damage", finding.verdict.name, name, &outcome)
    findings.append((finding.isDamage ? DiagnosisSeverity.critical : .note).name)
    findings.append(DiagnosisConfidence.certain.name)
    findings.appendNull()
    findings.append(finding.lostEvents?.lowerBound)
    findings.append(time: nil)
    findings.append(finding.lostEvents?.upperBound)
    findings.append(texts: Self.noVersions)
    findings.append(finding.cause)
    findings.append(list: [finding.evidence]) { Self.append(event: nil, $0, to: &$1) }
    findings.append(finding.remedy)
    for _ in 0..<2 { findings.appendNull() }
    findings.append(finding.file)
    findings.append(finding.byteRange.lowerBound)
    end()
  }

  private mutating func write(
    _ mistake: any HistoryFinding, _ mark: Mark, _ name: String, _ outcome: inout Outcome
  ) {
    begin(kind: "mistake", mistake.rule, name, &outcome)
    for _ in 0..<3 { findings.appendNull() }
    findings.append(mark.sequence)
    findings.append(time: mark.nanoseconds)
    findings.appendNull()
    findings.append(texts: mark.versions)
    findings.append(shown("\(mistake)"))
    let label = shown(domain.additions?.label(of: mistake) ?? mistake.rule)
    findings.append(list: [mark.sequence]) { Self.append(event: $0, label, to: &$1) }
    for _ in 0..<5 { findings.appendNull() }
    end()
  }

  /// - Parameters:
  ///   - cause: The place of the problem that led to it.
  ///   - marks: The events that decide problems.
  ///   - before: Number of the journal's other findings, which have rows already.
  private mutating func write(
    _ problem: FoundProblem, _ cause: Int?, _ marks: [UInt64: Mark], _ before: UInt64, _ name: String,
    _ outcome: inout Outcome
  ) {
    begin(kind: "problem", problem.kind.id, name, &outcome)
    findings.append(problem.severity.name)
    findings.append(problem.confidence.name)
    findings.append(problem.subject.map(shown))
    let sequence = Self.event(of: problem)
    let mark = sequence.flatMap { marks[$0] }
    findings.append(sequence)
    findings.append(time: mark?.nanoseconds)
    findings.append(problem.until)
    findings.append(texts: mark?.versions ?? Self.noVersions)
    findings.append(shown(problem.sentence))
    let evidence = problem.evidence.map { ($0.sequence, shown($0.text)) }
    findings.append(list: evidence) { Self.append(event: $0.0, $0.1, to: &$1) }
    findings.append(shown(problem.next))
    findings.append(problem.kind.page)
    findings.append(cause.map { before + UInt64($0) + 1 })
    for _ in 0..<2 { findings.appendNull() }
    end()
  }

  private mutating func begin(kind: String, _ rule: String, _ name: String, _ outcome: inout Outcome) {
    outcome.findings += 1
    findings.begin()
    findings.append(name)
    findings.append(outcome.findings)
    findings.append(kind)
    findings.append(rule)
  }

  private mutating func end() {
    findings.end()
    folder.write(findings, to: .findings)
  }

  private static func append(event: UInt64?, _ text: String, to bytes: inout [UInt8]) {
    bytes.append(literal: "{\"event\":")
    if let event = event.flatMap({ Int64(exactly: $0) }) { bytes.append(event) } else { bytes.append(literal: "null") }
    bytes.append(literal: ",\"text\":")
    JSONEscaping.append(text, to: &bytes)
    bytes.append(UInt8(ascii: "}"))
  }
}
