import EventSourcing
import JSON
import Journal
import PlainText
import WireFormat

/// The records of an export, one after the other.
struct ExportLines<Machine: Reducer>: ~Copyable {
  private let history: History<Machine>
  private let reader: JournalReader
  private let options: HistoryExport<Machine>
  private let report: VerificationReport
  private let sink: ([UInt8]) -> Void
  /// What an import kept of the export that this journal came from.
  private let sidecar: ExportSidecar?
  /// Replaces what is personal, or only counts it; `nil` where nothing has to be looked at.
  private let redactor: PayloadRedactor?
  private let replaces: Bool
  private let printer: EventPrinter
  private let fields: ValueJSON
  private let values: ValueJSON
  private let differ = StateDiffer()
  /// The states of redacted events; `nil` where nothing is replaced.
  private var states: RedactedStates<Machine>?
  private let changes: [(first: UInt64, digest: [UInt8]?)]

  private var summary = HistoryExport<Machine>.Summary()
  private var budget: ExportBudget
  /// Why readers would refuse the export; `nil` if they would not.
  private var excess: String?
  private var checksum = ExportChecksum()
  private var content = ExportChecksum()
  private var chain: UInt32 = 0
  /// The last event written, or lost.
  private var last: UInt64 = 0
  /// The line of that event without its end, which depends on what follows.
  private var pending: [UInt8] = []
  private var pendingIsLast = true
  /// How many of the sidecar's records were written.
  private var kept = 0
  /// The catalogue that describes the last event.
  private var catalog: [UInt8]??

  init(
    _ history: History<Machine>, _ options: HistoryExport<Machine>, _ report: VerificationReport, counts: Bool,
    _ sink: @escaping ([UInt8]) -> Void
  ) {
    self.history = history
    self.options = options
    self.report = report
    self.sink = sink
    reader = history.reader
    budget = ExportBudget(options.limits)
    let origin = ExportOrigin(of: history.reader)
    if let trouble = origin.trouble { summary.add(unreadable: "\(ExportFormat.sidecar): \(trouble)") }
    var sidecar = options.range == nil ? origin.sidecar : nil
    // What was redacted once is never taken for the originals.
    let wasRedacted = origin.wasRedacted
    summary.wasRedacted = wasRedacted
    let pseudonyms = options.pseudonyms ?? (wasRedacted ? Pseudonyms() : nil)
    replaces = pseudonyms != nil
    if let pseudonyms, !wasRedacted { summary.withheldRecords = sidecar?.withholdUnknown(pseudonyms) ?? [:] }
    self.sidecar = sidecar
    redactor = (pseudonyms ?? (counts ? Pseudonyms() : nil)).map { PayloadRedactor($0, counts: counts) }
    // Pseudonyms are for everyone, secrets for no one.
    fields = ValueJSON(.revealing)
    values = ValueJSON(Redaction(revealing: pseudonyms == nil, pathsOf: Machine.State.self))
    printer = EventPrinter(Machine.Event.catalog, .revealing)
    changes = history.reader.catalogChanges
  }

  /// The place before the first event.
  private func place() throws(JournalError) -> JournalTranscript.Place {
    guard let range = options.range, range.lowerBound > reader.start.sequence + 1 else { return reader.start }
    return .init(sequence: range.lowerBound - 1, chain: try reader.parent(at: range.lowerBound - 1).chain)
  }

  // MARK: The beginning

  /// Writes what precedes the events.
  mutating func writeBeginning() throws(JournalError) {
    let start = try place()
    (last, chain) = (start.sequence, start.chain)
    // What this program does not know is kept only of what is not redacted now.
    let kept = summary.wasRedacted || !replaces ? sidecar?.start : nil
    var head = kept ?? Self.head(of: reader, options, from: start)
    head["redacted"] = .bool(replaces)
    if let partial = sidecar?.start["partial"]?.bool { head["partial"] = .bool(partial) }
    write(JSONValue(.object(head)).text(style: .compact))
    if sidecar == nil {
      for finding in report.findings {
        let line = record("damage", FindingJSON.members(of: finding) + [RecordedDamage.member(of: report)])
        record(budget.add(record: line.utf8.count))
        write(line)
      }
    }
    writeKept(before: start.sequence + 1)
    let checkpoint = start.sequence > 0 ? try writeCheckpoint(start) : nil
    if replaces { states = RedactedStates(after: start.sequence, checkpoint) }
  }

  /// Writes the state before the first events, which no event that is left leads to, and returns it.
  private mutating func writeCheckpoint(
    _ start: JournalTranscript.Place
  ) throws(JournalError) -> (sequence: UInt64, body: [UInt8])? {
    var stored: (sequence: UInt64, body: [UInt8])?
    if options.range != nil, start != reader.start {
      do throws(HistoryError) {
        stored = (start.sequence, try history.checkpointBody(at: start.sequence))
      } catch {
        summary.add(unreadable: "the state after event \(start.sequence): \(error)")
      }
    } else if let checkpoint = reader.beginning(after: start.sequence) {
      do throws(JournalError) {
        stored = (checkpoint.sequence, try reader.body(of: checkpoint))
      } catch {
        summary.add(unreadable: "the state after event \(checkpoint.sequence): \(error)")
      }
    }
    guard var stored else { return nil }
    if replaces, let redactor {
      guard let redacted = redacted(stored.body, redactor) else {
        summary.withheldState = "this program cannot tell what is personal in it"
        return nil
      }
      stored.body = redacted
    } else if redactor != nil {
      let counter = PayloadRedactor(Pseudonyms(), counts: true)
      _ = redacted(stored.body, counter)
      summary.stateHoldsSecrets = counter.secrets > 0
    }
    record(budget.add(record: stored.body.count))
    write(
      record(
        "checkpoint", at: stored.sequence,
        [.init("seq", .number(stored.sequence)), .init("bytes", .string(Base64.text(stored.body)))]))
    return stored
  }

  private func redacted(_ body: [UInt8], _ redactor: PayloadRedactor) -> [UInt8]? {
    history.isOfOtherDomain ? nil : redactor.state(body, of: Machine.self, options.slices)
  }

  // MARK: Events

  /// Writes the events, with what stands between them.
  mutating func writeEvents() throws(HistoryError) {
    let lower = options.range?.lowerBound ?? 1
    var log = try LogReader(history, from: lower, upTo: options.range?.upperBound)
    var raw: JournalCursor
    raw = try HistoryError.translating(
      try reader.cursor(after: max(lower, history.firstSequence, 1) - 1, beyondDamage: true))
    while let item = try log.next() {
      guard case .event(let step) = item else { continue }
      try requireReadable()
      do throws(JournalError) {
        let isFound = try withPayload(of: step.record.sequence, &raw) { (lines, payload, isLast) in
          lines.write(step, payload, isLast: isLast)
        }
        // A writer took it back meanwhile.
        guard isFound else { break }
      } catch {
        throw .journal(error)
      }
    }
    let known = options.range?.upperBound ?? max(reader.durableSequence, reader.identity.isSalvaged ? writtenEnd : 0)
    if known > last { writeGap(to: known) }
    flush(endsBatch: true)
    writeKept(before: .max)
    try requireReadable()
  }

  private mutating func record(_ excess: String?) {
    self.excess = self.excess ?? excess
  }

  /// Refuses to write what readers would refuse.
  private func requireReadable() throws(HistoryError) {
    if let excess { throw .journal(HistoryExport<Machine>.tooLarge(excess)) }
  }

  /// The last event of a salvaged journal, which may be lost.
  private var writtenEnd: UInt64 { report.lastSequence }

  private mutating func withPayload(
    of sequence: UInt64, _ raw: inout JournalCursor,
    _ body: (inout ExportLines, UnsafeRawBufferPointer, Bool) -> Void
  ) throws(JournalError) -> Bool {
    while let item = try raw.next() {
      guard case .event(let event) = item, event.sequence >= sequence else { continue }
      guard event.sequence == sequence else { return false }
      body(&self, event.payload, event.isLastOfBatch)
      return true
    }
    return false
  }

  private mutating func write(_ step: HistoryStep<Machine>, _ bytes: UnsafeRawBufferPointer, isLast: Bool) {
    let record = step.record
    if record.sequence > last + 1 { writeGap(to: record.sequence - 1) }
    flush(endsBatch: false)
    writeKept(before: record.sequence)
    writeCatalog(of: record.sequence)
    let secrets = redactor?.secrets
    let redacted = redactor?.payload(of: record)
    if redactor?.secrets != secrets { summary.secretEvents += 1 }
    if replaces, let redacted {
      redacted.withUnsafeBytes { append(step, $0) }
    } else {
      append(step, bytes)
    }
    pendingIsLast = isLast
    last = record.sequence
    summary.events += 1
  }

  /// Appends the line of an event, as far as it is known.
  private mutating func append(_ step: HistoryStep<Machine>, _ payload: UnsafeRawBufferPointer) {
    record(budget.add(events: 1, bytes: payload.count))
    chain = HistoryChain.value(after: chain, payload)
    content.add(event: payload)
    let record = RecordedEvent<Machine.Event>(sequence: step.record.sequence, chain: chain, payload: payload)
    let envelope = record.envelope
    pending.removeAll(keepingCapacity: true)
    pending.append(literal: "{\"kind\":\"event\",\"seq\":")
    pending.append(record.sequence)
    pending.append(",\"chain\":\"\(ExportFormat.text(ofChain: chain))\",\"time\":")
    values.append(.time(envelope.moment.wallNanoseconds), to: &pending)
    pending.append(",\"uptime\":\(envelope.moment.uptimeNanoseconds),\"type\":")
    JSONEscaping.append(step.record.typeName, to: &pending)
    pending.append(
      ",\"typeNumber\":\(envelope.type),\"version\":\(envelope.version),\"known\":\(step.record.isUnderstood)"
        + ",\"mustUnderstand\":\(envelope.unknownReaders == .mustUnderstand),\"cause\":\(envelope.cause)"
        + ",\"correlation\":\(envelope.correlation),\"process\":\(envelope.process),\"stateDigest\":")
    if let digest = envelope.digest {
      pending.append("\"\(Digest.hex(digest.bytes))\"")
    } else {
      pending.append(literal: "null")
    }
    pending.append(literal: ",\"fields\":")
    appendFields(envelope.body, of: step)
    pending.append(literal: ",\"changes\":")
    appendChanges(of: step, record)
    pending.append(literal: ",\"payload\":\"")
    Base64.append(payload, to: &pending)
    pending.append(literal: "\",\"last\":")
  }

  private mutating func appendFields(_ envelopeBody: [UInt8], of step: HistoryStep<Machine>) {
    let printed = PrintedEvent(step.record)
    guard printed.isDescribed else { return pending.append(literal: "null") }
    if let body = printer.kind(of: printed).body, body.appendJSON(envelopeBody, fields, to: &pending) { return }
    let message = MessageFields(envelopeBody, as: step.record.descriptor?.body)
    pending.append(fields.json(message).text(style: .compact))
  }

  private mutating func appendChanges(of step: HistoryStep<Machine>, _ redacted: RecordedEvent<Machine.Event>) {
    let original = replaces ? nil : step.changes(differ)?.changes
    let states = replaces && !history.isOfOtherDomain ? self.states?.step(redacted) : nil
    guard let changes = original ?? states.map({ differ.changes(from: $0.before, to: $0.after).changes }) else {
      return pending.append(literal: "null")
    }
    pending.append(UInt8(ascii: "["))
    for (index, change) in changes.enumerated() {
      if index > 0 { pending.append(UInt8(ascii: ",")) }
      values.append(change, to: &pending)
    }
    pending.append(UInt8(ascii: "]"))
  }

  /// Writes the catalogue that describes an event, unless the last one does.
  private mutating func writeCatalog(of sequence: UInt64) {
    guard reader.domain != nil, let entry = changes.last(where: { $0.first <= sequence }) ?? changes.first,
      catalog != .some(entry.digest)
    else { return }
    catalog = .some(entry.digest)
    var bytes: [UInt8]?
    if entry.digest != nil {
      do throws(JournalError) {
        bytes = try reader.catalog(at: sequence)
      } catch {
        summary.add(unreadable: "the catalogue of event \(sequence): \(error)")
      }
    }
    record(budget.add(record: bytes?.count ?? 0))
    write(
      record(
        "catalog", at: sequence,
        [
          .init("from", .number(sequence)),
          .init("sha256", entry.digest.map { .string(Digest.hex($0)) } ?? .null),
          .init("bytes", bytes.map { .string(Base64.text($0)) } ?? .null),
        ]))
  }

  /// Writes that the events up to this one are lost. Each counts as one without content.
  private mutating func writeGap(to end: UInt64) {
    flush(endsBatch: true)
    writeKept(before: last + 1)
    record(budget.add(lost: end - last))
    guard excess == nil else { return }
    write(record("gap", at: last + 1, [.init("from", .number(last + 1)), .init("to", .number(end))]))
    chain = LostRun.chain(after: chain, count: end - last)
    content.add(lost: end - last)
    states?.lose()
    summary.lost += end - last
    last = end
  }

  private mutating func flush(endsBatch: Bool) {
    guard !pending.isEmpty else { return }
    pending.append(literal: endsBatch || pendingIsLast ? "true" : "false")
    for member in sidecar?.additions.members(of: "event", at: last) ?? [] {
      pending.append(UInt8(ascii: ","))
      JSONEscaping.append(member.name, to: &pending)
      pending.append(UInt8(ascii: ":"))
      pending.append(member.value.text(style: .compact))
    }
    pending.append(UInt8(ascii: "}"))
    write(pending)
    pending.removeAll(keepingCapacity: true)
  }

  // MARK: The end

  /// Writes the last record.
  mutating func writeEnd(_ report: VerificationReport) -> HistoryExport<Machine>.Summary {
    let knowsEnd = report.knowsEnd && reader.unknownEnd == nil
    let members: [JSONObject.Member] = [
      .init("events", .number(summary.events)), .init("lost", .number(summary.lost)), .init("last", .number(last)),
      .init("chain", .string(ExportFormat.text(ofChain: chain))), .init("sha256", .string(content.hex)),
      .init("endKnown", .bool(knowsEnd || options.range != nil)), .init("checksum", .string(checksum.hex)),
    ]
    write(record("end", at: 0, members))
    summary.uses = redactor?.uses ?? [:]
    if redactor != nil {
      for (kind, count) in summary.withheldRecords {
        summary.uses[.init(type: "export", field: "record \(kind)", privacy: .secret, treatment: .withheld)] = count
      }
    }
    return summary
  }

  /// Writes what an import kept, up to an event.
  private mutating func writeKept(before sequence: UInt64) {
    guard let records = sidecar?.records else { return }
    while kept < records.count, records[kept].after < sequence {
      record(budget.add(record: records[kept].line.utf8.count))
      write(records[kept].line)
      kept += 1
    }
  }

  /// The line of a record.
  ///
  /// - Parameter sequence: Its first event, by which an import kept what else it has; `nil` where it kept nothing.
  private func record(_ kind: String, at sequence: UInt64? = nil, _ members: [JSONObject.Member]) -> String {
    let additions = sequence.flatMap { sidecar?.additions.members(of: kind, at: $0) } ?? []
    return JSONValue.object([JSONObject.Member("kind", .string(kind))] + members + additions).text(style: .compact)
  }

  private mutating func write(_ line: String) {
    write(Array(line.utf8))
  }

  private mutating func write(_ line: [UInt8]) {
    if line.count > options.limits.lineBytes {
      record("one of its lines has more than \(options.limits.lineBytes >> 20) MiB")
    }
    let line = line + [UInt8(ascii: "\n")]
    checksum.add(line)
    summary.textBytes += UInt64(line.count)
    if summary.textBytes > options.limits.textBytes {
      record("it decompresses to more than \(options.limits.textBytes >> 20) MiB")
    }
    sink(line)
  }
}
