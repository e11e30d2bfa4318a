import EventSourcing
import JSON
import Journal
import PlainText
import WireFormat

extension ExportReader {
  /// Reads the first record.
  mutating func readStart(_ node: JSONNode, _ kind: String) throws(JSONError) {
    guard kind == "start", try node.required("schema").string() == ExportFormat.schema else {
      halt = .refuse(Self.notAnExport("its first record does not say that it is one"))
      return
    }
    let version: Int = try node.required("version").integer(in: 1...Int.max)
    guard version <= ExportFormat.version else {
      halt = .refuse(Self.tooNew("version \(version) of the format"))
      return
    }
    let first: UInt64 = try node.required("first").integer(in: 1...(1 << 62))
    let start = JournalTranscript.Place(sequence: first - 1, chain: try Self.chain(node))
    let parent = try node.present("parent").map { (parent) throws(JSONError) in
      JournalIdentity.Parent(
        id: try Self.journalID(parent), sequence: try parent.required("seq").integer(in: 0...(1 << 62)),
        chain: try Self.chain(parent))
    }
    let isSalvaged = try node.required("salvaged").bool()
    let identity = JournalIdentity(
      finished: try Self.journalID(node), createdNanoseconds: try node.required("createdNanoseconds").integer(),
      parent: parent, keepsHistoryDigest: try node.required("historyDigest").bool(), isSalvaged: isSalvaged,
      lastKnownOfParent: isSalvaged
        ? try node.present("lastKnown").map { (node) throws(JSONError) in try node.integer(in: 0...(1 << 62)) } : nil,
      lostBeforeFirst: try Self.lostStretches(node, upTo: parent?.sequence ?? 0), domain: try Self.domain(node))
    var history = ExportedHistory(
      identity: identity, start: start, lastSequence: start.sequence, head: try node.object(), chain: start.chain)
    history.isRedacted = try node.required("redacted").bool()
    history.tool = try node.required("tool").string()
    history.retiredBehind = try node.present("retired").map { (node) throws(JSONError) in
      try node.integer(in: start.sequence...(1 << 62))
    }
    // Only a journal with a parent, or with retired events, begins later.
    guard start.sequence == parent?.sequence ?? 0 || history.retiredBehind != nil else {
      throw try node.required("first").error(
        .invalidValue, "no parent and no retired events precede event \(first)", remedy: "ask for the file again")
    }
    // What the chain is there, the parent or nothing decides.
    guard start.sequence != parent?.sequence ?? 0 || start.chain == parent?.chain ?? 0 else {
      throw try node.required("chain").error(
        .invalidValue, "no history has this chain value before event \(first)", remedy: "ask for the file again")
    }
    self.history = history
  }

  static func tooNew(_ what: String) -> ExchangeError {
    ExchangeError(
      .needsNewerProgram, "it needs a newer pj: \(what) must be understood", remedy: "install one, then try again")
  }

  /// The stretches of lost events before the first one; `nil` where the file says nothing of them.
  private static func lostStretches(
    _ node: JSONNode, upTo last: UInt64
  ) throws(JSONError) -> [ClosedRange<UInt64>]? {
    guard let list = try node.present("lostBeforeFirst"), last > 0 else { return nil }
    var stretches: [ClosedRange<UInt64>] = []
    for item in try list.elements() {
      let numbers = try item.elements()
      guard numbers.count == 2, stretches.last?.upperBound ?? 0 < last else {
        throw item.error(
          .invalidValue, "these are not lost events up to \(last)", remedy: "ask for the file again")
      }
      let lower: UInt64 = try numbers[0].integer(in: ((stretches.last?.upperBound ?? 0) + 1)...last)
      stretches.append(lower...(try numbers[1].integer(in: lower...last)))
    }
    return stretches
  }

  private static func domain(_ node: JSONNode) throws(JSONError) -> String? {
    guard let domain = try node.present("domain") else { return nil }
    let name = try domain.string()
    do throws(JournalError) {
      return try JournalDomain(name: name, catalog: []).name
    } catch {
      throw domain.error(.invalidValue, error.message, remedy: error.remedy)
    }
  }

  private static func chain(_ node: JSONNode) throws(JSONError) -> UInt32 {
    let node = try node.required("chain")
    guard let chain = ExportFormat.chain(try node.string()) else {
      throw node.error(.invalidValue, "a chain value has eight hexadecimal digits", remedy: "ask for the file again")
    }
    return chain
  }

  private static func journalID(_ node: JSONNode) throws(JSONError) -> JournalID {
    let node = try node.required("journal")
    guard let id = JournalID(try node.string()), id != .none else {
      throw node.error(.invalidValue, "this is not the id of a journal", remedy: "ask for the file again")
    }
    return id
  }

  private static func bytes(_ node: JSONNode) throws(JSONError) -> [UInt8] {
    var bytes: [UInt8] = []
    guard Base64.decode(try node.string(), into: &bytes) else {
      throw node.error(.invalidValue, "these are not bytes in Base64", remedy: "ask for the file again")
    }
    return bytes
  }

  /// Reads a later record; returns `false` for one of an unknown kind.
  mutating func readRecord(_ node: JSONNode, _ kind: String, _ line: [UInt8]) throws(JSONError) -> Bool {
    switch kind {
    case "event": try readEvent(node)
    case "gap": try readGap(node)
    case "catalog": try readCatalog(node)
    case "checkpoint": try readCheckpoint(node)
    case "damage":
      keep(line)
      return true
    case "end": try readEnd(node)
    default: return false
    }
    var place = try node.present("seq")
    if place == nil { place = try node.present("from") }
    history?.additions.keep(try node.object(), of: kind, at: try place?.integer() ?? 0)
    return true
  }

  private mutating func readEvent(_ node: JSONNode) throws(JSONError) {
    let sequence: UInt64 = try node.required("seq").integer()
    let payload = try node.required("payload")
    let isLast = try node.required("last").bool()
    let chain = try Self.chain(node)
    guard var history, sequence == history.lastSequence + 1 else {
      halt = .stop("line \(self.line): event \(sequence) is not the next one")
      return
    }
    self.history = nil
    defer { self.history = history }
    let begin = history.content.count
    let isBase64 = Base64.decode(try payload.string(), into: &history.content)
    let range = begin..<history.content.count
    guard isBase64, range.count <= JournalBatch.maximumPayloadLength else {
      history.content.removeSubrange(begin...)
      halt = .stop("line \(self.line): the payload of event \(sequence) is not one")
      return
    }
    let after = history.content.withUnsafeBytes { bytes in
      HistoryChain.value(after: history.chain, UnsafeRawBufferPointer(rebasing: bytes[range]))
    }
    guard after == chain else {
      history.content.removeSubrange(begin...)
      halt = .stop("line \(self.line): event \(sequence) does not verify")
      return
    }
    history.content.withUnsafeBytes { content.add(event: UnsafeRawBufferPointer(rebasing: $0[range])) }
    history.chain = after
    history.lastSequence = sequence
    history.eventCount += 1
    history.items.append(.event(range, isLastOfBatch: isLast))
    refuse(budget.add(events: 1, bytes: range.count))
  }

  private mutating func readGap(_ node: JSONNode) throws(JSONError) {
    let (from, to): (UInt64, UInt64) = (
      try node.required("from").integer(), try node.required("to").integer(in: 1...(1 << 62))
    )
    guard var history, from == history.lastSequence + 1, to >= from else {
      halt = .stop("line \(line): the lost events \(from) to \(to) are not the next ones")
      return
    }
    self.history = nil
    defer { self.history = history }
    if let excess = budget.add(lost: to - from + 1) {
      halt = .stop("line \(line): with the lost events \(from) to \(to), \(excess)")
      return
    }
    history.lostCount += to - from + 1
    history.items.append(.lost(to - from + 1))
    history.chain = LostRun.chain(after: history.chain, count: to - from + 1)
    content.add(lost: to - from + 1)
    history.lastSequence = to
  }

  private mutating func readCatalog(_ node: JSONNode) throws(JSONError) {
    let bytes = try node.present("bytes").map { (node) throws(JSONError) in try Self.bytes(node) }
    guard bytes?.count ?? 0 <= JournalDomain.maximumCatalogLength else {
      halt = .stop("line \(line): the catalogue is too large")
      return
    }
    let sha = try node.present("sha256").map { (node) throws(JSONError) in try node.string() }
    if let bytes, Digest.sha256(bytes).hex != sha {
      halt = .stop("line \(line): the catalogue does not verify")
      return
    }
    history?.items.append(.catalog(bytes))
    refuse(budget.add(record: bytes?.count ?? 0))
  }

  private mutating func readCheckpoint(_ node: JSONNode) throws(JSONError) {
    let sequence: UInt64 = try node.required("seq").integer()
    let body = try Self.bytes(try node.required("bytes"))
    history?.checkpoints.append((sequence, body))
    refuse(budget.add(record: body.count))
  }

  private mutating func readEnd(_ node: JSONNode) throws(JSONError) {
    let expected = try node.required("checksum").string()
    let counted: UInt64 = try node.required("events").integer()
    let sha = try node.required("sha256").string()
    let knowsEnd = try node.required("endKnown").bool()
    guard let history, checksum.hex == expected, content.hex == sha, history.eventCount == counted else {
      halt = .stop("line \(line): the checksum of the file is wrong, although every event verifies")
      return
    }
    self.history?.knowsEnd = knowsEnd
    self.history?.ending = .complete
    isEnded = true
  }

  /// Keeps a record of an unknown kind, unless it must be understood.
  mutating func keep(_ node: JSONNode, _ kind: String, _ line: [UInt8]) throws(JSONError) {
    if try node.present("mustUnderstand")?.bool() ?? false {
      halt = .refuse(Self.tooNew("its record of the kind \(JSONExcerpt.quoted(kind))"))
      return
    }
    keep(line)
    history?.unknownKinds[kind, default: 0] += 1
  }

  private mutating func keep(_ line: [UInt8]) {
    guard let last = history?.lastSequence else { return }
    history?.kept.append(ExportSidecar.Record(after: last, line: String(decoding: line, as: UTF8.self)))
    refuse(budget.add(record: line.count))
  }

  /// Refuses a file of which more is held than fits in memory.
  private mutating func refuse(_ excess: String?) {
    if let excess { halt = .refuse(Self.tooLarge(excess)) }
  }
}
