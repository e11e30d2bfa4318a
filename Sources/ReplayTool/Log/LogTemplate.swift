import CommandLineInterface
import CommandSupport
import EventSourcing
import Forensics
import Journal
import PlainText

/// One line for each event, made after a template such as `{seq} {time} {type} {/accounts/a1/enrollment/status}`. Nothing
/// else has a line.
package struct LogTemplate {
  /// What a template can name besides paths.
  package enum Field: String, CaseIterable {
    case seq, time, type, account, headline, cause, correlation, process, version, uptime, findings, conditions

    /// What it stands for, as a sentence.
    ///
    /// - Parameters:
    ///   - samples: What is named as an example.
    ///   - hasLocalTimes: Whether the log has them.
    package func meaning(_ samples: DomainSamples, hasLocalTimes: Bool) -> String {
      switch self {
      case .seq: "The event's number."
      case .time:
        "When it was written, in UTC\(hasLocalTimes ? ", or with --local in local time with the offset" : "")."
      case .type: "Its type, such as \(samples.type)."
      case .account: "The accounts that it concerns, as in the log."
      case .headline: "What it means, as in the log."
      case .cause: "The event that caused it; 0 for none."
      case .correlation: "The event with which its story began; 0 for none."
      case .process: "The event with which the process began; 0 for none."
      case .version: "The version of its type."
      case .uptime: "The time since the device started, as an ISO 8601 duration."
      case .findings: "The rules that it breaks\(samples.rule.map { ", such as \($0)" } ?? ""); empty for none."
      case .conditions: "The launch conditions that are not met, with what was compared; empty for none."
      }
    }
  }

  private enum Part {
    case text(String)
    case field(Field)
    case value(String)
  }

  /// The template of `--oneline`.
  static var oneline: LogTemplate {
    let account: [Part] = Tool.current.hasAccounts ? [.field(.account), .text(" ")] : []
    return LogTemplate([.field(.seq), .text(" "), .field(.type), .text(" ")] + account + [.field(.headline)])
  }

  private let parts: [Part]
  /// How times are shown.
  var clock = LogClock(isLocal: false)
  /// The columns at which lines are cut; `nil` if they are not.
  var columns: Int?
  /// Decides which values are shown.
  var values = ValueText(.on)

  private init(_ parts: [Part]) {
    self.parts = parts
  }

  /// Reads a template. `{{` and `}}` stand for braces, `\t` and `\n` for a tab and the end of a line.
  init(_ template: String) throws(Failure) {
    var parts: [Part] = []
    var text = ""
    var rest = template[...]
    while let character = rest.popFirst() {
      switch character {
      case "{" where rest.first == "{", "}" where rest.first == "}":
        text.append(character)
        rest.removeFirst()
      case "{":
        guard let end = rest.firstIndex(of: "}") else { throw Self.failure("{\(rest) has no closing brace") }
        if !text.isEmpty { parts.append(.text(text)) }
        text = ""
        parts.append(try Self.part(rest[..<end]))
        rest = rest[rest.index(after: end)...]
      case "}": throw Self.failure("a closing brace has no opening one; }} stands for a brace")
      case "\\" where rest.first == "t":
        text.append("\t")
        rest.removeFirst()
      case "\\" where rest.first == "n":
        text.append("\n")
        rest.removeFirst()
      default: text.append(character)
      }
    }
    if !text.isEmpty { parts.append(.text(text)) }
    self.parts = parts
  }

  private static func part(_ name: Substring) throws(Failure) -> Part {
    if name.hasPrefix("/") {
      guard !name.contains("*"), !name.contains("?") else {
        throw failure("{\(name)} names several values; write one path for each")
      }
      return .value(StateTree.normalized(String(name)))
    }
    let fields = Field.allCases.filter { $0 != .account || Tool.current.hasAccounts }
    if let field = fields.first(where: { $0.rawValue == name }) { return .field(field) }
    let near = EditDistance.nearest(to: String(name), in: fields.map(\.rawValue), limit: 1).first
    throw failure("no field is called {\(name)}" + (near.map { "; nearest: {\($0)}" } ?? ""))
  }

  private static func failure(_ reason: String) -> Failure {
    Failure(.wrongUse, "--template: \(reason)", next: "\(Tool.name) help templates")
  }

  private func text(_ field: Field, of event: LoggedEvent) -> String {
    let envelope = event.record.envelope
    func text(_ body: (inout [UInt8]) -> Void) -> String {
      var bytes: [UInt8] = []
      body(&bytes)
      return String(decoding: bytes, as: UTF8.self)
    }
    return switch field {
    case .seq: String(event.record.sequence)
    case .time: clock.text(of: event)
    case .type: event.typeName
    case .account: text(event.appendAccounts)
    case .headline: event.record.isUnderstood ? text(event.appendSummary) : LogText.reasonForUnknown(event)
    case .cause: String(envelope.cause)
    case .correlation: String(envelope.correlation)
    case .process: String(envelope.process)
    case .version: String(envelope.version)
    case .uptime: values.text(.duration(envelope.moment.uptimeNanoseconds))
    case .findings: (event.findings ?? []).map(\.rule).joined(separator: ",")
    case .conditions: event.unmetConditions.map(event.line).joined(separator: "; ")
    }
  }

  /// The value at a path after an event; that of a part of the state lists its values.
  private func value(at path: String, after event: LoggedEvent) -> String {
    guard let found = event.part(at: path) else { return "unknown" }
    return switch found {
    case nil: "unset"
    case .value(let value)?: values.text(value)
    case let part?:
      part.leaves(under: path == "/" ? "" : path).filter { $0.value != .unset }.map {
        "\(name(of: $0.path, below: path)): \(values.text($0.value))"
      }
      .joined(separator: ", ")
    }
  }

  /// The names of a path below another one, as they are shown.
  private func name(of path: String, below part: String) -> String {
    StateTree.components(of: values.redaction.shown(statePath: path)).dropFirst(StateTree.components(of: part).count)
      .joined(separator: "/")
  }
}

extension LogTemplate: LogFormat {
  func row(_ event: LoggedEvent, isMatch: Bool) -> LogRow {
    var line = ""
    for part in parts {
      switch part {
      case .text(let text): line += text
      case .field(let field): line += TerminalText.visible(text(field, of: event))
      case .value(let path): line += TerminalText.visible(value(at: path, after: event))
      }
    }
    return LogRow(text: columns.map { TerminalText.truncated(line, to: $0) } ?? line, isMatch: isMatch)
  }

  func row(_ jump: ClockJump) -> LogRow { .omitted }
  func row(_ finding: Finding) -> LogRow { .omitted }
  func row(_ obstacle: HistoryError) -> LogRow { .omitted }
  func row(_ beginning: RetiredBeginning) -> LogRow { .omitted }
}
