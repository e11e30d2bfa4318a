import EventSourcing
import Forensics
import Journal

/// A journal that a command reads: where it is, and its history.
///
/// What is known of its bytes is in ``trust``; ``positions`` and ``states`` answer from its history.
package final class JournalInput {
  /// The path as it was given.
  package let path: String
  /// How it was packed, if it was not read from a folder.
  package let packed: MountedJournals.Mount?
  /// The tool's domain.
  package let domain: AnyDomain
  /// What is in it.
  package let history: AnyHistory
  /// What is known of its bytes.
  package let trust: JournalTrust
  /// Number of threads that compute what is printed of it.
  package let threadCount: Int
  private let shown: ReadingProgress
  /// The notes about positions that were written.
  var positionNotes: Set<String> = []

  /// Opens a journal for reading. Nothing is locked or written.
  ///
  /// - Parameters:
  ///   - path: Its folder.
  ///   - environment: Where the folder is, and where reading is shown.
  ///   - seeksFrom: The size in bytes from which a journal is not read as a whole, but only where the answer is; `nil` if
  ///     it always is. Seeking ends where anything is wrong: everything is then read and named.
  package init(
    _ path: String, _ environment: ToolEnvironment, seeksFrom: UInt64? = nil
  ) throws(Failure) {
    self.path = path
    (domain, threadCount) = (environment.tool.domain, environment.threadCount)
    try environment.door?.open(path)
    packed = environment.door?.mount(at: path)
    var partial: PartialReading?
    do throws(JournalError) {
      var reader = try JournalReader(path: path, fileSystem: environment.progress.noting(environment.fileSystem))
      if let seeksFrom, reader.segments.reduce(0, { $0 &+ $1.length }) >= seeksFrom {
        partial = PartialReading(&reader)
      }
      history = domain.history(reader)
    } catch {
      throw Failure(.journal(error), journal: path)
    }
    shown = ReadingProgress(environment.progress, path, history.reader)
    trust = JournalTrust(history, packed, partial, shown)
    try Failure.translating(journal: path, try history.requireFittingEvents())
  }

  /// A journal that was verified already.
  package init(
    _ path: String, _ environment: ToolEnvironment, verified reader: JournalReader, _ report: VerificationReport
  ) {
    self.path = path
    (domain, threadCount) = (environment.tool.domain, environment.threadCount)
    packed = environment.door?.mount(at: path)
    history = domain.history(reader)
    shown = ReadingProgress(environment.progress, path, reader)
    trust = JournalTrust(history, packed, nil, shown, verified: report)
  }

  /// What its positions mean.
  package var positions: JournalPositions { JournalPositions(journal: self) }

  /// Its states.
  package var states: JournalStates { JournalStates(journal: self) }

  /// The domain of a journal whose states this program does not know; `nil` for its own.
  package var otherDomain: String? { history.isOfOtherDomain ? history.reader.domain : nil }

  /// Refuses a journal of another domain, of which nothing can be said that rests on its states.
  package func requireOwnDomain() throws(Failure) {
    try Failure.translating(journal: path, try history.requireOwnDomain())
  }

  /// The problems of a stretch of the history; `nil` where the tool's domain knows none.
  ///
  /// - Parameters:
  ///   - lower: Problems that ended before this event are left out.
  ///   - upper: The last event to look at; `nil` means the end.
  ///   - damage: What was found about the journal's bytes.
  package func diagnosis(
    from lower: UInt64, upTo upper: UInt64?, damage: [Finding]
  ) throws(Failure) -> FoundProblems? {
    guard let diagnostics = domain.diagnostics else { return nil }
    begin("diagnosing")
    return try Failure.translating(
      journal: path, try diagnostics.diagnose(history, from: lower, upTo: upper, damage: damage))
  }

  /// Refuses a journal that was read from a file, for what only a folder can be used for.
  ///
  /// - Parameter next: What helps, if a folder with the same journal does not.
  package func requireFolder(_ what: String, next: String? = nil) throws(Failure) {
    guard let packed else { return }
    let file =
      switch packed.kind {
      case .export: "an export"
      case .archive: "an archive"
      }
    throw Failure(
      .wrongUse, "\(path): \(what), and this is \(file)",
      next: next ?? packed.unpacking ?? FindingNotes.recovery(packed.kind.recovery, path))
  }

  /// Shows that the journal is read again, and why.
  package func begin(_ work: String) { shown.begin(work) }
}

/// The line that tells how far reading a journal is.
package struct ReadingProgress {
  /// The path of the journal.
  let path: String
  private let progress: Progress?
  private let byteCount: UInt64

  init(_ progress: Progress?, _ path: String, _ reader: JournalReader) {
    (self.progress, self.path) = (progress, path)
    byteCount = reader.segments.reduce(0) { $0 + $1.length }
  }

  /// Shows that it is read again, and why.
  func begin(_ work: String) { progress?.begin("\(work) \(path)", total: byteCount) }
}
