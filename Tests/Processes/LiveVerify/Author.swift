import Journal
import ProcessTesting

/// Writes one journal after the other at full speed, each under another policy, with rotations and checkpoints, and
/// retires events of every other one.
///
/// Lines: `began NUMBER` when there is a journal to look at, `failure SENTENCE`. Ends when nobody listens.
struct Author {
  let path: String
  let events: KnownEvents
  var generator: SeededGenerator

  /// Reading a journal takes time that grows with it, and what matters is how often it is read while it grows.
  private static let eventLimit: UInt64 = 8000
  /// Some policies are slow, and each is to have its turn.
  private static let nanosecondsPerJournal: UInt64 = 200_000_000

  mutating func run() throws(JournalError) {
    for number in 0... {
      let directory = "\(path)/\(number)"
      var options = JournalOptions.random(&generator)
      // Mostly nothing holds the writer up.
      if number % 4 != 3 { options.syncPolicy = .none }
      let journal = try JournalWriter.create(
        at: directory, id: JournalID(bytes: Array(0..<16)) ?? .none, createdNanoseconds: 1, options: options)
      guard Platform.tell("began \(number)") else { return }
      var batch = JournalBatch()
      let end = Platform.monotonicNanoseconds + Self.nanosecondsPerJournal
      while journal.lastSequence < Self.eventLimit, Platform.monotonicNanoseconds < end {
        let last = journal.lastSequence
        try events.add(1 + generator.below(generator.oneIn(20) ? 200 : 4), after: last, to: &batch)
        try journal.append(&batch)
        if generator.oneIn(100) { try checkpoint(journal, directory, retires: number % 2 == 1) }
        if generator.oneIn(50) { try journal.sync() }
      }
      try journal.close()
    }
  }

  private mutating func checkpoint(_ journal: JournalWriter, _ directory: String, retires: Bool) throws(JournalError) {
    let sequence = journal.lastSequence
    let checkpoint = try journal.writeCheckpoint(sequence: sequence, body: events.payload(sequence))
    if retires { try journal.retire(before: max(sequence, 200) - UInt64(generator.below(200)), after: checkpoint) }
    for old in try JournalReader(path: directory).checkpoints().dropFirst(2) {
      try? PosixFileSystem().remove(directory + "/" + old.file)
    }
  }
}
