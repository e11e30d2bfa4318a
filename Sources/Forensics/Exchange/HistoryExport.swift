import EventSourcing
import JSON
import Journal

/// Writes a history, or part of it, as one file: gzip-compressed JSON Lines, as the page *Exports* describes them.
///
/// Memory does not grow with the history.
public struct HistoryExport<Machine: Reducer> {
  /// The history.
  public let history: History<Machine>
  /// Replaces what is personal, and withholds secrets; `nil` to export everything as it is, secrets too, which
  /// ``preview(_:)`` counts.
  public var pseudonyms: Pseudonyms?
  /// The fields of each slice of a state, in the order of the slices, which redaction needs to know for the state in whose
  /// place events were retired; empty to leave such a state out.
  public var slices: [MessageDescriptor] = []
  /// The first and the last event; `nil` for all.
  public var range: ClosedRange<UInt64>?
  /// The program that exports, such as `pj 0.9`.
  public var tool = ""
  /// What readers accept. An export that exceeds it is not written.
  public var limits = ExportFormat.Limits()

  /// What was exported.
  public typealias Summary = ExportSummary

  /// Everything is redacted under a random key unless ``pseudonyms`` is changed.
  public init(_ history: History<Machine>) {
    self.history = history
    pseudonyms = Pseudonyms()
  }

  /// Writes the file.
  ///
  /// - Parameters:
  ///   - report: What verifying the journal's bytes found.
  ///   - sink: Takes the file's bytes, piece by piece.
  /// - Throws: ``/EventSourcing/HistoryError``; `tooLarge` for what readers would refuse. What the sink took is no export then.
  public func write(
    _ report: VerificationReport, to sink: @escaping ([UInt8]) -> Void
  ) throws(HistoryError) -> Summary {
    var count = 0
    let gzip = GzipWriter { piece in
      count += piece.count
      sink(piece)
    }
    let summary = try write(report, counts: false) { gzip.write($0) }
    gzip.finish()
    if let excess = limits.excess(ofFile: count) ?? limits.excess(ofText: Int(summary.textBytes), inFile: count) {
      throw .journal(Self.tooLarge(excess))
    }
    return summary
  }

  /// The error for what readers would refuse.
  static func tooLarge(_ excess: String) -> JournalError {
    JournalError(
      .tooLarge, "this would be an export that cannot be read: \(excess)", remedy: "export a range: pj help export")
  }

  /// Goes through everything that would be exported and counts what becomes of each field, and which events hold secrets; writes
  /// nothing.
  public func preview(_ report: VerificationReport) throws(HistoryError) -> Summary {
    try write(report, counts: true) { _ in }
  }

  private func write(
    _ report: VerificationReport, counts: Bool, _ sink: @escaping ([UInt8]) -> Void
  ) throws(HistoryError) -> Summary {
    var lines = ExportLines(history, self, report, counts: counts, sink)
    try HistoryError.translating(try lines.writeBeginning())
    try lines.writeEvents()
    return lines.writeEnd(report)
  }
}
