import EventSourcing
import JSON
import Journal

/// What an export says of the bytes of the journal that it was made of. Its own bytes are sound and show less: which events are
/// lost, but neither why, nor that the batch of those before them was not whole.
@usableFromInline
struct RecordedDamage: Sendable {
  private let findings: [Finding]
  /// The last event up to which the state of that journal could be rebuilt; `nil` where no finding ends it.
  private let knownUpTo: UInt64?
  /// Whether a salvage had written that journal.
  private let isOfSalvage: Bool

  private static let knownUpTo = "knownUpTo"

  /// The member of a record that says up to where the state can be rebuilt.
  static func member(of report: VerificationReport) -> JSONObject.Member {
    .init(knownUpTo, .number(report.hasStart ? report.lastDerivableSequence : 0))
  }

  /// Reads it; nothing for a journal that is not exactly what was imported.
  @usableFromInline
  init(of reader: JournalReader) {
    let sidecar = ExportOrigin(of: reader).sidecar
    let records = (sidecar?.records ?? []).compactMap { Self.read($0.line) }
    findings = records.map(\.finding)
    isOfSalvage = sidecar?.start["salvaged"]?.bool ?? true
    knownUpTo = records.first { $0.finding.endsHistory }?.knownUpTo.map { max($0, reader.start.sequence) }
  }

  private static func read(_ line: String) -> (finding: Finding, knownUpTo: UInt64?)? {
    do throws(JSONError) {
      let record = try JSONDocument.parse(line).root
      guard try record.required("kind").string() == "damage", let finding = try FindingJSON.finding(record) else {
        return nil
      }
      return (finding, try record.present(knownUpTo).map { (node) throws(JSONError) in try node.integer() })
    } catch {
      return nil
    }
  }

  /// The last event that can be judged.
  ///
  /// - Parameter upper: The last event to look at; `nil` means the end.
  @usableFromInline
  func bound(_ upper: UInt64?) -> UInt64? { knownUpTo.map { min($0, upper ?? .max) } ?? upper }

  /// Why nothing after the bound can be judged; `nil` if everything that was asked for can.
  @usableFromInline
  func obstacle(_ upper: UInt64?) -> HistoryError? {
    guard let knownUpTo, knownUpTo < upper ?? .max, var finding = findings.first(where: \.endsHistory) else {
      return nil
    }
    // Nothing is wrong with the bytes at hand.
    finding.verdict = .lost
    return .damaged(lastDerivable: knownUpTo, finding)
  }

  /// What is wrong with the journal's bytes: what was recorded, in place of what an import left of it.
  @usableFromInline
  func superseding(_ own: [Finding]) -> [Finding] {
    findings.isEmpty ? own : findings + own.filter { isOfSalvage || !$0.isFromSalvage }
  }
}

extension Finding {
  /// Whether no state after it can be rebuilt.
  fileprivate var endsHistory: Bool {
    switch verdict {
    case .damaged, .tailLost, .unsyncedGap, .lost, .ioError, .unsupportedFormat: true
    case .clean, .torn, .indexDamaged: false
    }
  }
}
