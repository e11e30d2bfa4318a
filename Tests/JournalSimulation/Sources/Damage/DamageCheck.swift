import Journal

/// What must hold of a journal in which one file was altered.
struct DamageCheck {
  struct Outcome {
    /// The gravest verdict of `verify`; `unnoticed`; or `refused` when the journal cannot even be opened for reading.
    var verdict = Self.unnoticed
    /// Events that cannot be read any more, not even after the damage.
    var lost = 0
    /// Events that are served and were never appended.
    var wrong = 0
    /// Whether events that were durable are missing, or wrong ones are there, and nothing says so.
    var isSilent = false
    var failures: [String] = []

    static let unnoticed = "unnoticed"
    /// From the gravest on.
    static let verdicts = [
      "refused", "damaged", "tailLost", "unsyncedGap", "indexDamaged", "torn", unnoticed,
    ]
  }

  let fixture: DamageFixture
  let path: String
  /// Whether the journal is opened for writing too, and goes on.
  let goesOn: Bool

  /// Reads the journal in every way and says what is wrong with the answers.
  func check(_ alteration: Alteration) -> Outcome {
    let original = fixture.image.files[path] ?? []
    let altered = alteration.applied(to: original)
    var outcome = Outcome()
    guard altered != original else { return outcome }
    var image = fixture.image
    image.files[path] = altered
    let fileSystem = RecordingFileSystem(image)
    do throws(JournalError) {
      if path == KeptKeyframe.path {
        try readKeyframes(JournalReader(path: Workload.path, fileSystem: fileSystem), altered, &outcome)
      } else {
        try read(fileSystem, altered, alteration, &outcome)
      }
      if goesOn { try goOn(fileSystem, &outcome) }
    } catch {
      outcome.verdict = "refused"
      outcome.lost = fixture.places.count
      let isExpected = error.code == .damaged || error.code == .notAJournal
      if !isExpected { outcome.failures.append("an error that is no answer, \(error.code): \(error)") }
      if !fixture.places.indices.allSatisfy({ fixture.mayLose(fixture.retired + $0 + 1, path, altered) }) {
        outcome.failures.append("nothing can be read: \(error)")
      }
    }
    return outcome
  }

  private func read(
    _ fileSystem: RecordingFileSystem, _ altered: [UInt8]?, _ alteration: Alteration, _ outcome: inout Outcome
  ) throws(JournalError) {
    let reader = try JournalReader(path: Workload.path, fileSystem: fileSystem)
    let report = try reader.verify()
    let names = Set(report.findings.map(\.verdict.name))
    outcome.verdict = Outcome.verdicts.first { names.contains($0) } ?? Outcome.unnoticed
    if !names.isSubset(of: Outcome.verdicts) { outcome.failures.append("verdicts \(names.sorted())") }

    let (all, _, isServed) = try serve(reader, beyondDamage: true, &outcome)
    let (_, prefix, _) = try serve(reader, beyondDamage: false, &outcome)
    outcome.lost = fixture.places.count - all
    outcome.isSilent =
      report.isSound && (outcome.wrong > 0 || isServed[fixture.retired..<fixture.promised].contains(false))
    if outcome.wrong > 0 { outcome.failures.append("\(outcome.wrong) events were never appended") }
    for index in fixture.retired..<isServed.count
    where !isServed[index] && !fixture.mayLose(index + 1, path, altered) {
      outcome.failures.append("event \(index + 1) is lost without cause")
    }
    if fixture.breaksPromise(path, altered) {
      if report.isSound { outcome.failures.append("it counts as sound") }
      // Without KEPT nothing tells that events were retired, and they count as lost.
      let isKept = report.retirement != nil || fixture.retired == 0
      let reported = report.lostEvents.reduce(0) { $0 + $1.count }
      if fixture.promised == fixture.events.count, isKept, reported != outcome.lost {
        outcome.failures.append("\(outcome.lost) events are lost, and \(reported) reported")
      }
    } else if case .flipped = alteration, report.findings.isEmpty {
      outcome.failures.append("it is not noticed")
    }
    if UInt64(all) != report.eventCount {
      outcome.failures.append("\(all) events are served, and verify counts \(report.eventCount)")
    }
    let last = prefix ?? (report.retirement?.firstSequence ?? 1) - 1
    if last != report.lastVerifiedSequence {
      outcome.failures.append(
        "events up to \(last) are served before damage, and verify says \(report.lastVerifiedSequence)")
    }
  }

  /// Reads events and compares them; returns how many there were, the last one, and which of the right ones.
  private func serve(
    _ reader: JournalReader, beyondDamage: Bool, _ outcome: inout Outcome
  ) throws(JournalError) -> (count: Int, last: UInt64?, isServed: [Bool]) {
    var isServed = [Bool](repeating: false, count: fixture.events.count)
    var cursor = try reader.cursor(beyondDamage: beyondDamage)
    var count = 0
    var last: UInt64?
    while let item = try cursor.next() {
      guard case .event(let event) = item else { continue }
      count += 1
      let index = Int(clamping: event.sequence) - 1
      let before = last ?? UInt64(fixture.retired)
      let isNext = beyondDamage ? event.sequence > before : event.sequence == before + 1
      if !isNext || index >= fixture.events.count || !event.payload.elementsEqual(fixture.events[index]) {
        outcome.wrong += 1
      } else {
        isServed[index] = true
      }
      last = event.sequence
    }
    return (count, last, isServed)
  }

  /// Goes on after what verifies, as a caller can decide to, and reads everything again.
  private func goOn(_ fileSystem: RecordingFileSystem, _ outcome: inout Outcome) throws(JournalError) {
    let journal: JournalWriter
    var options = JournalOptions()
    options.domain = fixture.domain
    do throws(JournalError) {
      journal = try JournalWriter.open(
        at: Workload.path, options: options, onDamage: .continueAfterVerifiedPrefix, fileSystem: fileSystem)
    } catch {
      guard error.code == .damaged else { throw error }
      return
    }
    let last = Int(clamping: journal.lastSequence)
    var batch = JournalBatch()
    try batch.append(payload: [9, 9, 9], label: 1)
    try journal.append(&batch)
    try journal.close()
    var cursor = try JournalReader(path: Workload.path, fileSystem: fileSystem).cursor(beyondDamage: true)
    var isThere = false
    while let item = try cursor.next() {
      guard case .event(let event) = item else { continue }
      let index = Int(clamping: event.sequence) - 1
      if index == last, event.payload.elementsEqual([9, 9, 9]) {
        isThere = true
      } else if index >= last || !event.payload.elementsEqual(fixture.events[index]) {
        outcome.failures.append("after going on after \(last) there is an event \(event.sequence) that is wrong")
        return
      }
    }
    if !isThere { outcome.failures.append("what was appended after the damage is not there") }
    if !fileSystem.misuse.isEmpty { outcome.failures.append("\(fileSystem.misuse)") }
  }
}
