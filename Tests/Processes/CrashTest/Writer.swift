import Journal
import ProcessTesting

/// Appends to a journal as fast as it can, and says after each step what it was promised, until it is killed or its
/// input ends.
///
/// Lines: `open LAST`, `appended LAST`, `checkpoint LAST`, `closed LAST`, `failure SENTENCE`.
struct Writer {
  private let path: String
  private let events: KnownEvents
  private var generator: SeededGenerator
  /// Whether it closes the journal now and then and opens it again. One that does not never lets anybody else in.
  private let reopens: Bool

  init(path: String, seed: UInt64, round: UInt64) {
    self.path = path
    events = KnownEvents(seed: seed)
    generator = SeededGenerator(seed: seed, round)
    reopens = Self.reopens(inRound: round)
  }

  static func reopens(inRound round: UInt64) -> Bool { round % 2 == 0 }

  mutating func run() throws(JournalError) {
    var journal = try open()
    var batch = JournalBatch()
    while true {
      let last = journal.lastSequence
      switch generator.below(120) {
      case 0 where reopens:
        try journal.close()
        journal = try open()
      case 1...3 where last > 0:
        try checkpoint(journal, last)
      case 4...5:
        try journal.sync()
      default:
        try events.add(batchSize(), after: last, to: &batch)
        let numbers = try journal.append(&batch, expecting: last)
        Platform.tell("appended \(numbers.upperBound)")
      }
      if Platform.receive(from: 0, withinMicroseconds: 0)?.isEmpty == true {
        try journal.close()
        Platform.tell("closed \(journal.lastSequence)")
        return
      }
    }
  }

  private mutating func open() throws(JournalError) -> JournalWriter {
    let options = JournalOptions.random(&generator)
    let journal: JournalWriter
    do throws(JournalError) {
      journal = try JournalWriter.open(at: path, options: options)
    } catch {
      guard error.code == .notAJournal else { throw error }
      let id = JournalID(bytes: (0..<16).map { _ in UInt8(truncatingIfNeeded: generator.next()) }) ?? .none
      journal = try JournalWriter.create(at: path, id: id, createdNanoseconds: 1, options: options)
    }
    Platform.tell("open \(journal.lastSequence)")
    return journal
  }

  private mutating func batchSize() -> Int {
    switch generator.below(100) {
    case 0: 1 + generator.below(3000)
    case 1...9: 1 + generator.below(100)
    default: 1 + generator.below(5)
    }
  }

  /// Writes a checkpoint of one of the last events, and removes all but the newest few.
  private mutating func checkpoint(_ journal: JournalWriter, _ last: UInt64) throws(JournalError) {
    let sequence = last - UInt64(generator.below(Int(min(last, 50))))
    try journal.writeCheckpoint(sequence: sequence, body: events.payload(sequence))
    Platform.tell("checkpoint \(sequence)")
    let kept = try JournalReader(path: path).checkpoints()
    for old in kept.dropFirst(3) where old.sequence < sequence {
      try? PosixFileSystem().remove(path + "/" + old.file)
    }
  }
}
