import EventSourcing
import JSON
import Journal
import PlainText

extension ExportLines {
  /// The first record of an export, which says what is exported; `redacted` is left open.
  static func head(
    of reader: JournalReader, _ options: HistoryExport<Machine>, from start: JournalTranscript.Place
  ) -> JSONObject {
    let identity = reader.identity
    var (id, parent, retired) = (identity.id, identity.parent, reader.retirement?.checkpointSequence)
    if let range = options.range {
      let end = JournalTranscript.Place(sequence: range.upperBound, chain: 0)
      let part = JournalTranscript.salvagedIdentity(
        of: identity, from: start, to: end, lastKnown: nil, lost: identity.lostBeforeFirst)
      (id, parent, retired) = (part.id, part.parent, nil)
    }
    var beginning: [JSONObject.Member] = []
    if let lost = identity.lostBeforeFirst {
      let stretches = lost.map { JSONValue.array([.number($0.lowerBound), .number($0.upperBound)]) }
      beginning = [.init("lostBeforeFirst", .array(stretches))]
    }
    func number(_ value: UInt64?) -> JSONValue { value.map(JSONValue.number) ?? .null }
    let members: [JSONObject.Member] = [
      .init("kind", .string("start")), .init("schema", .string(ExportFormat.schema)),
      .init("version", .number(ExportFormat.version)), .init("tool", .string(options.tool)),
      .init("redacted", .null), .init("journal", .string("\(id)")),
      .init("created", .string(CivilTime(nanoseconds: identity.createdNanoseconds).text)),
      .init("createdNanoseconds", .number(identity.createdNanoseconds)),
      .init("domain", identity.domain.map(JSONValue.string) ?? .null),
      .init("historyDigest", .bool(identity.keepsHistoryDigest)), .init("salvaged", .bool(identity.isSalvaged)),
      .init("lastKnown", number(identity.lastKnownOfParent)),
      .init(
        "parent",
        parent.map {
          .object([
            .init("journal", .string("\($0.id)")), .init("seq", .number($0.sequence)),
            .init("chain", .string(ExportFormat.text(ofChain: $0.chain))),
          ])
        } ?? .null), .init("first", .number(start.sequence + 1)),
      .init("chain", .string(ExportFormat.text(ofChain: start.chain))), .init("retired", number(retired)),
      .init("partial", .bool(options.range != nil)),
    ]
    return JSONObject(members + beginning)
  }
}
