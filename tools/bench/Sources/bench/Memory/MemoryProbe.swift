/// Measures phases in child processes, so that none sees what another left behind.
struct MemoryProbe {
  let options: Options
  let fixtures: Fixtures

  /// The lengths of the histories: what does not differ between them does not grow.
  var lengths: [Int] { [options.events / 10, options.events] }

  func run() throws -> [MemoryResult] {
    var results: [MemoryResult] = []
    for length in lengths {
      let journal = fixtures.freshPath()
      for phase in MemoryPhase.measured {
        if Platform.showsProgress { Platform.note("\r\u{1B}[Kmemory: \(phase.title), \(grouped(length)) events") }
        results.append(try measure(phase, length, journal))
      }
      Platform.remove(journal)
    }
    if Platform.showsProgress { Platform.note("\r\u{1B}[K") }
    return results
  }

  private func measure(_ phase: MemoryPhase, _ length: Int, _ journal: String) throws -> MemoryResult {
    let arguments = [
      "--phase", phase.rawValue, "--events", "\(length)", "--journal", journal, "--policies", options.policies,
    ]
    let text = try fixtures.withFreshPath { try Platform.runAgain(arguments, output: $0) }
    let numbers = text.split(whereSeparator: \.isWhitespace).compactMap { Int($0) }
    guard numbers.count == 3 else { throw Failure("a child process wrote '\(text)' instead of three numbers") }
    return MemoryResult(phase: phase, events: length, before: numbers[0], kept: numbers[1], peak: numbers[2])
  }

  /// The child's part: does the work, and writes its memory before and after to standard output.
  ///
  /// The pages of programs and libraries that are in memory grow with what is called and never shrink, so what they are
  /// at the end can be taken off the peak. The rest is what the phase keeps.
  static func runChild(_ phase: String, _ options: Options) throws {
    guard let phase = MemoryPhase(rawValue: phase) else { throw Failure("there is no phase \(phase)") }
    let before = Machine.memory("RssAnon")
    try phase.run(options)
    let peak = Machine.memory("VmHWM")
    Platform.print("\(before) \(peak - Machine.memory("RssFile") - Machine.memory("RssShmem")) \(peak)")
  }
}
