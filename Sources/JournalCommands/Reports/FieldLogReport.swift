import CommandLineInterface
import CommandSupport
import Forensics
import JSON
import PlainText
import PolicyDocuments

/// What was made of a field log.
struct FieldLogReport {
  let log: FieldLog
  let journal: FieldLogJournal
  let target: String
  let redaction: Redaction

  /// Everything that no event was made of: the first places of each reason, and how many there are.
  private var skipped: [(reason: String, count: Int, places: [String])] {
    var counts = log.skippedCounts
    var places: [String: [String]] = [:]
    for skipped in log.skipped { places[skipped.reason, default: []].append(redaction.shown(skipped.place)) }
    for unused in journal.unused {
      counts[unused.reason, default: 0] += 1
      if places[unused.reason, default: []].count < 5 {
        places[unused.reason, default: []].append(redaction.shown(unused.place))
      }
    }
    return counts.sorted { $0.key < $1.key }.map { ($0.key, $0.value, places[$0.key] ?? []) }
  }

  private var inferred: Int {
    journal.envelopes.count { $0.attributes?.metadata.contains { FieldLog.Inference(key: $0.key) != nil } ?? false }
  }

  /// Shows it.
  func print(to context: CommandContext) {
    let output = context.output
    let events = journal.envelopes.count
    guard !context.isJSON else {
      output.line(.startRecord("import"))
      for (reason, count, places) in skipped {
        output.line(
          .record(
            "skipped",
            [
              .init("reason", .string(reason)), .init("count", .number(count)),
              .init("places", .array(places.map(JSONValue.string))),
            ]))
      }
      return output.line(
        .endRecord(
          .done,
          [
            .init("journal", .string(target)), .init("events", .number(events)), .init("inferred", .number(inferred)),
            .init("accounts", .number(journal.accounts.count)), .init("examined", .number(log.examined)),
          ]))
    }
    output.line(
      TerminalText.visible(
        "\(target): \(events.counted("event")) of \(journal.accounts.count.counted("account")), from "
          + "\(log.examined) lines and values; \(inferred.counted("event")) with something inferred"))
    for (reason, count, places) in skipped {
      let list = places.joined(separator: ", ") + (count > places.count ? ", …" : "")
      output.line(TerminalText.visible("not used: \(count) × \(reason) (\(list))"))
    }
    output.line(TerminalText.visible("Next: pj log \(target.shellWord)"))
  }
}

extension Redaction {
  /// A place in a field log as it is shown.
  package func shown(_ place: FieldLog.Place) -> String { shown(path: place.file) + place.part }
}
