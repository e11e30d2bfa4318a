import EventSourcing
import Forensics
import Journal

/// What is known of a journal's bytes: what was found in those that were read, and which were not.
package final class JournalTrust {
  private let history: AnyHistory
  private let packed: MountedJournals.Mount?
  /// What is read of it, where that is not everything.
  private let partial: PartialReading?
  private let shown: ReadingProgress
  /// The report on the journal's bytes, once all were read.
  package private(set) var knownReport: VerificationReport?

  package init(
    _ history: AnyHistory, _ packed: MountedJournals.Mount?, _ partial: PartialReading?,
    _ shown: ReadingProgress,
    verified report: VerificationReport? = nil
  ) {
    (self.history, self.packed, self.partial, self.shown) = (history, packed, partial, shown)
    knownReport = report
  }

  /// The outline, as long as nothing was found in what was read so far.
  package var soundOutline: JournalOutline? { knownReport == nil ? partial?.soundOutline : nil }

  /// Whether answers come from single places of the journal, so far.
  package var isSeeking: Bool { soundOutline != nil }

  /// The events that were not read: damage among them would not have been found.
  package var notVerified: [ClosedRange<UInt64>] { isSeeking ? partial?.unread ?? [] : [] }

  /// The events of a journal that has all of them, by its outline or because all were read; `nil` otherwise.
  package func knownEvents() throws(Failure) -> ClosedRange<UInt64>? {
    if let soundOutline { return soundOutline.events }
    let (reader, report) = (history.reader, try report())
    guard report.knowsEnd, report.findings.allSatisfy(\.isHarmless), !reader.identity.isSalvaged,
      report.lastSequence >= history.firstSequence, reader.firstSequence == history.firstSequence
    else { return nil }
    return history.firstSequence...report.lastSequence
  }

  /// The findings about all of the journal's bytes: trust in a history does not depend on what happened to be read.
  /// While nothing is wrong with a journal that is not read as a whole, those about what describes its bytes.
  package func findings() throws(Failure) -> [Finding] {
    // Once every event was read, so can be what else the journal says of them.
    if let soundOutline, !notVerified.isEmpty { return soundOutline.findings }
    return try report().findings + missing
  }

  /// What says that events may have followed, where the file that the journal is from is cut.
  private var missing: [Finding] { packed?.finding.map { [$0] } ?? [] }

  /// The additional findings about an answer that depends on the journal's end.
  /// Where the file that the journal is from is cut, that is named instead.
  package var unknownEnd: [Finding] { missing.isEmpty ? history.reader.unknownEnd.map { [$0] } ?? [] : [] }

  /// The additional findings about an answer that depends on a stretch of the journal: which events before the first one
  /// are lost, and whether others followed the last one.
  ///
  /// - Parameter upper: The last event of the stretch; `nil` for the journal's end.
  package func lossesAround(from lower: UInt64, upTo upper: UInt64?) -> [Finding] {
    (lower <= history.firstSequence ? history.reader.lossesBeforeFirst : []) + (upper == nil ? unknownEnd : [])
  }

  /// What reading all of the journal's bytes found.
  package func report() throws(Failure) -> VerificationReport {
    if let knownReport { return knownReport }
    shown.begin("verifying")
    do throws(JournalError) {
      let report = try history.reader.verify()
      knownReport = report
      return report
    } catch {
      throw Failure(error, journal: shown.path)
    }
  }

  /// Reads the bytes of the events after one and up to another, on which an answer rests, so that damage among them is known
  /// before the answer is given. Where these are all events, everything is verified.
  package func verify(after first: UInt64, upTo last: UInt64) throws(Failure) {
    guard let outline = soundOutline, first < last else { return }
    if first < outline.events.lowerBound, last >= outline.events.upperBound {
      _ = try report()
      return
    }
    shown.begin("verifying")
    do throws(JournalError) {
      var cursor = try history.reader.cursor(after: first)
      while cursor.lastSequence < last, try cursor.next() != nil {}
    } catch {
      throw Failure(error, journal: shown.path)
    }
  }
}

/// A journal that is read only where answers are, by what its headers, footers and HEAD say.
package struct PartialReading {
  private let outline: JournalOutline
  private let coverage: ReadCoverage

  /// Has the reader keep what is read; `nil` where the journal has no outline.
  package init?(_ reader: inout JournalReader) {
    let coverage = ReadCoverage()
    reader.coverage = coverage
    guard let outline = reader.outline() else { return nil }
    (self.outline, self.coverage) = (outline, coverage)
  }

  /// The outline, as long as nothing was found in what was read so far.
  package var soundOutline: JournalOutline? { coverage.findings.allSatisfy(\.isHarmless) ? outline : nil }

  /// The events that were not read.
  package var unread: [ClosedRange<UInt64>] { coverage.unread(of: outline.events) }
}

extension JournalInput {
  /// Returns what `work` finds in journals. Where it finds damage in one of which only places were read, everything is read,
  /// as for any damaged journal, and the work done again.
  package static func settled<Value>(
    _ journals: [JournalInput], _ work: () throws(Failure) -> Value
  ) throws(Failure) -> Value {
    let wereSeeking = journals.map(\.trust).filter(\.isSeeking)
    let found = Result { () throws(Failure) in try work() }
    return wereSeeking.allSatisfy(\.isSeeking) ? try found.get() : try work()
  }
}
