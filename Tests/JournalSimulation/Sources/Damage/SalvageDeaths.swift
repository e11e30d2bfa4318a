import Journal

/// Ends salvages in the middle, before each of their calls, and looks at what they leave, also without one of the two files
/// that say whether the copy is finished.
package struct SalvageDeaths: Sendable {
  /// One call in so many is one before which a salvage is ended.
  package var share: Int
  /// Behind one in so many deaths, what power cuts can leave is looked at too.
  package var powerCutShare: Int

  package init(share: Int = 1, powerCutShare: Int) {
    self.share = max(share, 1)
    self.powerCutShare = max(powerCutShare, 1)
  }

  package struct Report: Sendable {
    /// Calls before which a salvage was ended.
    package var deaths = 0
    /// What they and power cuts after them left, as often as that was looked at.
    package var states = 0
    /// Those among them that are refused.
    package var unfinished = 0
    package var failures = FailureLog()

    mutating func add(_ other: Report) {
      deaths += other.deaths
      states += other.states
      unfinished += other.unfinished
      failures.add(other.failures)
    }

    /// One line.
    package var summary: String {
      "\(deaths) salvages ended in the middle: \(states) states, \(unfinished) of them refused; "
        + "\(failures.lines.count) kinds of failures"
    }
  }

  /// Parts into which the deaths of a fixture are divided, so that one long salvage keeps all processors at work. Odd, so that
  /// each has its share of the power cuts, too.
  private static let partCount = 7

  /// Ends the salvage of every fixture before every call.
  package func run(_ fixtures: [SalvageFixture]) async -> Report {
    await withTaskGroup(of: Report.self) { group in
      for fixture in fixtures {
        for part in 1...Self.partCount { group.addTask { run(fixture, part) } }
      }
      var report = Report()
      for await part in group { report.add(part) }
      return report
    }
  }

  private func run(_ fixture: SalvageFixture, _ part: Int) -> Report {
    var report = Report()
    let whole = RecordingFileSystem(fixture.journal.image)
    guard let copy = try? SalvagedCopy(of: fixture, from: whole) else {
      report.failures.note("the undamaged journal is not salvaged", fixture.name)
      return report
    }
    for number in stride(from: part, to: .max, by: Self.partCount) {
      let call = number * share
      let files = RecordingFileSystem(fixture.journal.image)
      var isEnded = false
      do throws(JournalError) {
        let salvage = try Salvage(of: [Workload.path], fileSystem: files)
        files.setPlan(FaultPlan(at: files.calls.count + call, .death))
        _ = try salvage.write(journal: Workload.id, to: SalvagedCopy.path, options: SalvagedCopy.options)
      } catch {
        isEnded = true
      }
      guard isEnded || files.isDead else { return report }
      let operations = files.operations
      files.revive()
      report.deaths += 1
      judgeAll(files.image, copy, &report) { "\(fixture.name), before call \(call)" }
      tryAgain(files, fixture, copy, &report) { "\(fixture.name), before call \(call)" }
      guard number % powerCutShare == 0 else { continue }
      var disk = Disk(fixture.journal.image)
      for operation in operations { disk.perform(operation) }
      for fates in CrashStates.fates(disk, randomCount: 2, seed: UInt64(call)) {
        judgeAll(disk.image(fates), copy, &report) { "\(fixture.name), before call \(call), power cut \(fates)" }
      }
    }
    return report
  }

  /// Judges what is left as it is, and with either witness of an unfinished copy gone or damaged.
  private func judgeAll(
    _ image: DiskImage, _ copy: SalvagedCopy, _ report: inout Report, _ place: () -> String
  ) {
    judge(image, copy, &report, place)
    for name in ["JOURNAL", "HEAD"] {
      var less = image
      guard let bytes = less.files.removeValue(forKey: "\(SalvagedCopy.path)/\(name)") else { continue }
      judge(less, copy, &report) { "\(place()), and \(name) is gone" }
      less.files["\(SalvagedCopy.path)/\(name)"] = [UInt8](repeating: 0, count: bytes.count)
      judge(less, copy, &report) { "\(place()), and \(name) is damaged" }
    }
  }

  /// Everything that opens what is left refuses it, unless all events are there.
  private func judge(
    _ image: DiskImage, _ copy: SalvagedCopy, _ report: inout Report, _ place: () -> String
  ) {
    report.states += 1
    let files = RecordingFileSystem(image)
    func isWhole(_ events: [(number: UInt64, payload: [UInt8])]) -> Bool {
      events.elementsEqual(copy.events) { $0.number == $1.number && $0.payload == $1.payload }
    }
    let path = SalvagedCopy.path
    if let reader = try? JournalReader(path: path, fileSystem: files) {
      let events = try? SalvagedCopy.events(of: reader)
      if !isWhole(events ?? []) { report.failures.note("a copy that lacks events is read", place()) }
    } else {
      report.unfinished += 1
    }
    if let again = try? Salvage(of: [path], fileSystem: files),
      let found = try? again.write(to: "again", options: SalvagedCopy.options),
      let reader = try? JournalReader(path: "again", fileSystem: files),
      let events = try? SalvagedCopy.events(of: reader), !isWhole(events), found.isComplete, found.knowsEnd
    {
      report.failures.note("a salvage calls a copy complete that lacks events", place())
    }
    if let journal = try? JournalWriter.open(at: path, options: SalvagedCopy.options, fileSystem: files) {
      let last = journal.lastSequence
      if last != copy.events.last?.number ?? 0 {
        report.failures.note("a copy that lacks events is opened for writing", place())
      }
    }
  }

  /// Salvaging to the same place once more gives all events, or is refused.
  private func tryAgain(
    _ files: RecordingFileSystem, _ fixture: SalvageFixture, _ copy: SalvagedCopy, _ report: inout Report,
    _ place: () -> String
  ) {
    do throws(JournalError) {
      guard let again = try SalvagedCopy(of: fixture, from: files) else { return }
      let isSame = again.events.elementsEqual(copy.events) { $0.number == $1.number && $0.payload == $1.payload }
      if !isSame || !again.findings.isEmpty { report.failures.note("salvaging once more gives another copy", place()) }
    } catch {
      if error.code != .alreadyExists { report.failures.note("salvaging once more fails, \(error.code)", place()) }
    }
  }
}
