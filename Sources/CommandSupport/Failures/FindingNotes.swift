import CommandLineInterface
import EventSourcing
import Journal
import PlainText

/// What findings about a journal's bytes, and obstacles to its state, mean for the tool.
package enum FindingNotes {
  /// The exit code of a command that read past these: the worst of them counts.
  package static func exitCode(_ findings: [Finding], _ obstacle: HistoryError?) -> ExitCode {
    var code = ExitCode.done
    for finding in findings {
      switch finding.verdict {
      case .ioError: return .unreadable
      case .unsupportedFormat: code = .needsNewerTool
      case .damaged, .tailLost, .lost, .indexDamaged, .unsyncedGap: if code == .done { code = .partial }
      case .clean, .torn: break
      }
    }
    guard code == .done, let obstacle else { return code }
    return Failure(obstacle, journal: JournalPath.defaultPath).exitCode
  }

  /// Whether events may be lost at this finding. A torn tail was never acknowledged, and a gap shows in the numbers after
  /// it.
  static func losesEvents(_ finding: Finding) -> Bool {
    switch finding.verdict {
    case .damaged, .tailLost, .lost, .ioError, .unsupportedFormat: true
    case .clean, .torn, .unsyncedGap, .indexDamaged: false
    }
  }

  /// How many of these are more than an unfinished write, and how many events are marked as lost: `3 places damaged`,
  /// `1 place that only a newer program reads`, `1 event lost before this journal was salvaged`, or several of them.
  package static func count(_ findings: [Finding]) -> String {
    let marked = findings.filter { $0.verdict == .lost }
    // What is missing of a file that the journal was packed in says it itself.
    let packed = findings.filter { PackedKind(of: $0) != nil }
    let newer = findings.count { $0.verdict == .unsupportedFormat }
    let places = findings.count { $0.verdict != .lost && exitCode([$0], nil) != .done } - packed.count - newer
    var parts = packed.map(\.evidence)
    if places > 0 || (marked.isEmpty && packed.isEmpty && newer == 0) {
      parts.append("\(places.counted("place")) damaged")
    }
    if newer > 0 { parts.append("\(newer.counted("place")) that only a newer program reads") }
    if marked.contains(where: { $0.lostEvents != nil }) {
      let events = marked.reduce(0) { $0 + UInt64($1.lostEvents?.count ?? 0) }
      let when = marked.contains(where: \.isFromSalvage) ? " before this journal was salvaged" : ""
      parts.append("\(events.counted("event")) lost\(when)")
    }
    if marked.contains(where: { $0.lostEvents == nil }) {
      parts.append("an end that was unknown when this journal was salvaged")
    }
    return parts.joined(separator: ", and ")
  }

  /// The next command to suggest with a journal's damage. Events that were lost before it was salvaged are in none of its
  /// bytes.
  ///
  /// - Parameter obstacle: Why the state is unknown, which counts where nothing is wrong with the bytes.
  package static func nextStep(_ findings: [Finding], _ path: String, obstacle: HistoryError? = nil) -> String {
    if let step = repair(of: findings, path, named: path) { return step }
    switch obstacle {
    // Damage that no finding names is damage of the bytes all the same.
    case .damaged(_, nil): return salvage(path, named: path)
    case .damaged(_, let finding?): return finding.verdict == .lost ? help : salvage(path, named: path, [finding])
    case .some(let other): return Failure(other, journal: path).next
    case nil: return help
    }
  }

  /// The next command to suggest with a journal's damage, which names the journal otherwise than by its path.
  package static func nextStep(_ findings: [Finding], _ path: String, named name: String) -> String {
    repair(of: findings, path, named: name) ?? help
  }

  private static var help: String { "\(Tool.name) help damage" }

  /// What to do about bytes that are damaged, or too new; `nil` where none are.
  private static func repair(of findings: [Finding], _ path: String, named name: String) -> String? {
    if let kind = findings.lazy.compactMap({ PackedKind(of: $0) }).first { return recovery(kind.recovery, name) }
    // A salvage leaves out what it cannot read, which is whole.
    if findings.contains(where: { $0.verdict == .unsupportedFormat }) { return Failure.newerTool }
    guard findings.contains(where: { $0.verdict != .lost && exitCode([$0], nil) != .done }) else { return nil }
    return salvage(path, named: name, findings)
  }

  /// The next command to suggest where a journal cannot be read at all.
  ///
  /// If no file identifies the journal, verify finds no more than that, and a salvage finds the events. An error with a
  /// place in a file is of another kind, such as an unfinished copy, and verify prints its remedy.
  package static func nextStep(_ error: JournalError, _ path: String) -> String? {
    error.code == .damaged && error.offset == nil ? salvage(path, named: path) : nil
  }

  /// What to type where bytes are damaged: a salvage, unless a file that another program renamed is all that is missing, or a
  /// salvage would find nothing.
  private static func salvage(_ path: String, named name: String, _ findings: [Finding] = []) -> String {
    if let step = stepForRenamed(in: path, named: name) { return step }
    let isAllLost = findings.contains { $0.verdict == .tailLost || $0.file == "JOURNAL" && $0.verdict == .unsyncedGap }
    guard isAllLost, let found = try? Salvage(of: [path]), found.journals.isEmpty else {
      return recovery("salvage", name)
    }
    return askAgain
  }

  /// The next step where nothing that is here helps.
  package static let askAgain = "ask for the whole folder again"

  /// The command that gives a file its own name back, or gets it, where a folder has a journal's file that another program
  /// renamed; `nil` where it has none.
  ///
  /// - Parameter shown: How the command names the folder; `nil` for its path.
  package static func stepForRenamed(in path: String, named shown: String? = nil) -> String? {
    let folder = shown ?? path
    // Placeholders are hidden.
    let names = Platform.names(in: path, limit: 10_000, skipsHidden: false) ?? []
    for name in names {
      guard let foreign = ForeignName(name), !names.contains(foreign.original) else { continue }
      let (file, original) = ("\(folder)/\(name)".shellWord, "\(folder)/\(foreign.original)".shellWord)
      switch foreign.kind {
      case .placeholder where name.hasSuffix(".icloud"): return "brctl download \(original)"
      case .placeholder, .unfinished: return "ls -l \(file)"
      case .otherCase, .copy, .ending: return "mv \(file) \(original)"
      }
    }
    return nil
  }

  /// The command line that makes a journal of what can be read at a path.
  package static func recovery(_ command: String, _ path: String) -> String {
    // A copy inside its own source is refused.
    "\(Tool.name) \(command) \(path.shellWord) -o \(path == JournalPath.defaultPath ? "../copy" : "copy")"
  }

  /// The first word of a line about a finding.
  package static func word(_ finding: Finding) -> String {
    switch finding.verdict {
    case .clean: "sound"
    case .torn: "torn tail"
    case .unsyncedGap: "gap"
    case .damaged, .indexDamaged: "damaged"
    case .tailLost: "tail lost"
    case .lost: "lost"
    case .ioError: "unreadable"
    case .unsupportedFormat: "too new"
    }
  }
}

/// What a file is that a journal was packed in.
package enum PackedKind: String, CaseIterable {
  case export, archive

  /// How findings name it.
  var name: String { "the \(rawValue)" }

  /// The command that makes a journal of what is left of it.
  package var recovery: String {
    switch self {
    case .export: "import"
    case .archive: "salvage"
    }
  }

  /// The kind of the file that a finding is about; `nil` for a finding about a journal's own bytes.
  init?(of finding: Finding) {
    guard finding.verdict == .tailLost, let kind = Self.allCases.first(where: { $0.name == finding.file }) else {
      return nil
    }
    self = kind
  }
}
