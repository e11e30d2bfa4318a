import AppProtection
import CommandLineInterface
import PolicyDocuments

/// What stands in the SDK's log, and in a journal.
extension Terms {
  static var sentences: [Term] {
    FieldLogSentence.all.map { Term(.sentence, $0.shape, summary(of: $0), page: "FieldLogs", body(of: $0)) }
  }

  private static func summary(of sentence: FieldLogSentence) -> String {
    "\(sentence.meaning)".replacing("`", with: "")
  }

  private static func body(of sentence: FieldLogSentence) -> [HelpBlock] {
    [
      .paragraph("“\(sentence.shape)”: \(summary(of: sentence))."),
      .paragraph("Source: \(sentence.source). pj import LOG makes a journal of a log."),
    ]
  }

  /// The sentence that a quoted text has, and what its number or its condition means.
  static func quoted(_ text: String) -> [Term] {
    guard let reading = FieldLogSentence.reading(text) else { return [] }
    var terms = [
      Term(
        .sentence, reading.sentence.shape, "a sentence of the SDK's log", page: "FieldLogs", body(of: reading.sentence))
    ]
    let names = [
      reading.code.map { "\($0.rawValue)" }, reading.reason.map { "\($0.rawValue)" },
      reading.tokenError.map { "\($0)" }, reading.rule?.id,
    ]
    for name in names.compactMap(\.self) {
      if case .named(let named) = answer(name) { terms += named }
    }
    return terms
  }

  static var events: [Term] {
    PolicyJournalTool.domain.entries.map { entry in
      Term(
        .event, entry.name, "an event of a journal",
        [.paragraph(entry.meaning)] + (entry.remedy.map { [.paragraph("What to do: \($0)")] } ?? [])
          + [.paragraph("pj schema \(entry.name) lists its fields.")])
    }
  }
}
