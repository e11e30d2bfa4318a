import CommandSupport

/// A table that histories are written to. Its columns are stated here only: the rows, the published schemas and those of
/// DuckDB and Spark follow them.
///
/// A later version only adds columns, after the others of its table.
package enum JournalTable: String, CaseIterable, Sendable {
  case journals, events, changes, findings

  /// The version of the tables.
  static let version = 1

  /// What a row is.
  var meaning: String {
    switch self {
    case .journals:
      "One row for each journal that was named, or is in a named archive, also for one that cannot be read."
    case .events: "One row for each event."
    case .changes: "One row for each value of the state that an event changed."
    case .findings: "One row for each problem of a history, likely mistake in an app, and place of damage."
    }
  }

  private static let journal = TableColumn(
    "journal", .text,
    "the journal's path as it was named, with its folder in an archive of several; its pseudonym where it has an address in it"
  )

  /// The versions that apply, as the last event that names some states them.
  private static func versions(_ when: String, _ domain: AnyDomain) -> [TableColumn] {
    [
      .optional("app", .text, "the version of the app \(when)"),
      .optional("engine", .text, "the version of the \(domain.samples.engine) whose rules apply \(when)"),
      .optional("system", .text, "the version of the operating system \(when)"),
      .optional("model", .text, "the device's model identifier \(when)"),
    ]
  }

  /// The columns, in the order of a row: the same in every tool, with examples of its domain.
  package func columns(in domain: AnyDomain) -> [TableColumn] {
    switch self {
    case .journals: Self.journalColumns(domain)
    case .events: Self.eventColumns(domain)
    case .changes: Self.changeColumns(domain)
    case .findings: Self.findingColumns(domain)
    }
  }

  private static func journalColumns(_ domain: AnyDomain) -> [TableColumn] {
    [
      journal, .optional("id", .text, "its identity, equal in all copies of it; null if it cannot be read"),
      .optional("domain", .text, "the name of the domain of its events; null if it names none"),
      .init("events", .integer, "number of its rows in the table events"),
      .init("lost", .integer, "number of events that are known to be lost"),
      .optional("firstSeq", .integer, "its first event"), .optional("lastSeq", .integer, "its last event"),
      .optional("firstTime", .time, "when its first event was decided, by the device's clock"),
      .optional("lastTime", .time, "when its last event was decided"),
    ] + versions("at its end", domain) + [
      .init("redacted", .flag, "whether pseudonyms stand for what is personal"),
      .init(
        "exit", .integer,
        "0 if everything was read, 3 if it is incomplete or damaged, 4 if it cannot be read, 5 if it needs a newer tool"
      ),
      .optional("error", .text, "why not everything was read"),
    ]
  }

  private static func eventColumns(_ domain: AnyDomain) -> [TableColumn] {
    [
      journal, .init("seq", .integer, "its number in its journal, from 1: the order of events"),
      .optional("time", .time, "when it was decided, by the device's clock, which may run backwards"),
      .init("uptime", .integer, "nanoseconds since the device started; 0 if unknown"),
      .init("type", .text, "its type, such as \(domain.samples.type)"),
      .init("typeNumber", .integer, "the type's number"),
      .init("version", .integer, "the version of the type's fields"),
      .init("known", .flag, "whether its fields could be read"),
      .init(
        "accounts", .list(.text),
        "the accounts that it names" + (domain.samples.account.map { ", such as \($0)" } ?? "")),
      .optional("cause", .integer, "the event that caused it; 0 for a command from outside"),
      .optional("correlation", .integer, "the first event of its story; 0 if it begins one"),
      .optional("process", .integer, "\(domain.samples.processStart); 0 before the first"),
    ] + versions("at that time", domain) + [
      .optional("data", .json, "its fields by name; null where nothing describes them"),
      .optional("changes", .integer, "number of its rows in the table changes; null where the state is unknown"),
      .optional("stream", .text, "the stream that the app named"),
      .init(
        "metadata", .list(.record([.init("key", .text, "the key"), .init("value", .text, "the value")])),
        "what the app attached to it"),
    ]
  }

  private static func changeColumns(_ domain: AnyDomain) -> [TableColumn] {
    [
      journal, .init("seq", .integer, "the event"), .optional("time", .time, "when the event was decided"),
      .init("type", .text, "the event's type"),
      .init("path", .text, "the place in the state, such as \(domain.samples.path)"),
      .optional("before", .json, "the value before the event; null for none"),
      .optional("after", .json, "the value after the event; null for none"),
    ]
  }

  private static func findingColumns(_ domain: AnyDomain) -> [TableColumn] {
    let problem = domain.diagnostics == nil ? "" : "problem: what \(Tool.name) diagnose finds; "
    return [
      journal, .init("number", .integer, "its number among those of its journal, from 1"),
      .init(
        "kind", .text,
        "\(problem)mistake: what \(Tool.name) log --findings says of an event; damage: what \(Tool.name) verify finds"
      ),
      .init("name", .text, "the problem's family, the mistake's rule, or the verdict about the bytes"),
      .optional("severity", .text, "critical, warning or note; null for mistakes"),
      .optional("confidence", .text, "certain, likely or possible; null for mistakes"),
      .optional(
        "subject", .text,
        "whom or what a problem concerns\(domain.samples.account.map { ", such as \($0)" } ?? ""); null for the whole history"
      ),
      .optional("seq", .integer, "the event that decides it; null if none does, or it is lost"),
      .optional("time", .time, "when that event was decided"),
      .optional("until", .integer, "the last event up to which a problem held; null if it holds at the end"),
    ] + versions("at that event", domain) + [
      .init("sentence", .text, "what is wrong"),
      .init(
        "evidence",
        .list(
          .record([.optional("event", .integer, "an event, or null"), .init("text", .text, "what it shows")])),
        "what proves it, the deciding event first"), .optional("next", .text, "what to do"),
      .optional("page", .text, "the page that describes it"),
      .optional("explainedBy", .integer, "the number of the problem of the same journal that led to it"),
      .optional("file", .text, "the damaged file"), .optional("byte", .integer, "where the damage begins in it"),
    ]
  }
}
