import CommandLineInterface
import CommandSupport
import Forensics
import PlainText
import PolicyDocuments

/// What was made of a field log.
struct FieldLogReport {
  let log: FieldLog
  let journal: FieldLogJournal
  let target: String
  let redaction: Redaction

  /// The most places that are named for one reason where all were asked for.
  static let mostNamed = 10_000

  /// How many events have something inferred.
  private func count(_ inference: FieldLog.Inference) -> Int {
    journal.envelopes.count { $0.attributes?.metadata.contains { $0.key == inference.key } ?? false }
  }

  /// Everything that no event was made of: the first places of each reason, and how many there are.
  private var skipped: [(reason: String, count: Int, places: [String])] {
    var counts = log.skippedCounts
    var places: [String: [String]] = [:]
    for skipped in log.skipped { places[skipped.reason, default: []].append(redaction.shown(skipped.place)) }
    for unused in journal.unused {
      counts[unused.reason, default: 0] += 1
      if places[unused.reason, default: []].count < log.mostNamed {
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
    context.report { lines in
      lines.begin(Self.records, ())
      lines.add(Self.skipping, each: skipped)
      lines.end(Self.records, self, .done)
    } text: {
      printText(to: context)
    }
  }

  /// What `-j` writes.
  static let records = JSONOutput<Void, FieldLogReport>(
    "import", [skipping],
    end: [
      .init("journal", \.target), .init("events", \.journal.envelopes.count), .init("inferred", \.inferred),
      .init("accounts", \.journal.accounts.count), .init("examined", \.log.examined),
    ])

  private static let skipping = JSONRecord<(reason: String, count: Int, places: [String])>(
    "skipped", [.init("reason", \.reason), .init("count", \.count), .init("places", \.places)])

  private func printText(to context: CommandContext) {
    let output = context.output
    let events = journal.envelopes.count
    output.line(
      TerminalText.visible(
        "\(target): \(events.counted("event")) of \(journal.accounts.count.counted("account")); "
          + "\(log.examined) lines and values were looked at; \(inferred.counted("event")) with something inferred"))
    let doubts: [(FieldLog.Inference, sentence: String)] = [
      (.nearestAccount, "may be another account's: the lines name none, and there are several"),
      (.unknownYear, "have only a day and a clock, here in \(FieldLog.unknownYear): --year says in which year"),
    ]
    for (inference, sentence) in doubts where count(inference) > 0 {
      output.line(
        "\(count(inference).counted("event")) \(sentence) (pj log shows: inferred: \(inference.rawValue))")
    }
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
