import CommandLineInterface
import CommandSupport
import EventSourcing
import Forensics

/// `pj complete`: what could stand in the place of a word, for the completion scripts of shells.
///
/// It answers in a fraction of a second or not at all: of a long journal it reads only single places and the first events.
package enum CompleteCommand: Command {
  package static let description = CommandDescription(
    "complete", "Prints what could stand in the place of a word, for completion scripts.",
    positionals: [
      PositionalDescription("KIND", accepting: .oneOf(Kind.allCases.map(\.rawValue)), "What to print."),
      PositionalDescription("WORD", .many, "The word as far as it is typed, then the words before it."),
    ])

  /// What can be printed.
  private enum Kind: String, CaseIterable {
    case types, positions, paths, accounts, terms
  }

  /// The size in bytes from which a journal is not read as a whole.
  private static let maximumLength: UInt64 = 8 << 20
  /// The most events read for their types.
  private static let maximumEvents = 65_536
  /// The most candidates printed.
  private static let maximumCandidates = 1000

  package static var schemas: [OutputSchema] { [] }

  package static func run(_ context: CommandContext) throws(Failure) -> ExitCode {
    guard let kind = context.arguments.positional("KIND").flatMap(Kind.init) else { return .done }
    let words = Array(context.arguments.positionals.dropFirst())
    let typed = words.first ?? ""
    // What is wrong with the journal is none of the shell's business.
    let journal = kind == .terms ? nil : try? input(words.dropFirst(), context)
    var head = ""
    var rest = typed[...]
    if kind == .positions, let dots = typed.firstRange(of: "..") {
      head = String(typed[..<dots.upperBound])
      rest = typed[dots.upperBound...]
    }
    let candidates = candidates(kind, String(rest), journal, context).filter { isPlain($0) && $0.hasPrefix(rest) }
    for candidate in candidates.prefix(maximumCandidates) { context.output.line(head + candidate) }
    return .done
  }

  private static func candidates(
    _ kind: Kind, _ typed: String, _ journal: JournalInput?, _ context: CommandContext
  ) -> [String] {
    switch kind {
    case .types:
      let counts = journal.map(typeCounts) ?? [:]
      return counts.isEmpty ? context.environment.tool.domain.entries.map(\.name) : counts.keys.sorted()
    case .positions:
      let counts = journal.map(typeCounts) ?? [:]
      let types = counts.isEmpty ? context.environment.tool.domain.entries.map(\.name) : counts.keys.sorted()
      guard let sign = typed.firstIndex(of: "#") else { return ["start", "end", "today", "yesterday"] + types }
      let type = String(typed[..<sign])
      return (0..<min(counts[type] ?? 0, maximumCandidates)).map { "\(type)#\($0 + 1)" }
    case .paths: return state(of: journal, context).map { paths(of: $0, context.redaction) } ?? []
    case .accounts:
      return state(of: journal, context).map(accounts) ?? []
    case .terms: return ToolShell.current.map { $0.table.helpSubjects + $0.terms() } ?? []
    }
  }

  /// The journal that one of the words names, or the current directory.
  private static func input(_ words: ArraySlice<String>, _ context: CommandContext) throws(Failure) -> JournalInput? {
    let names = words.map { word in (try? JournalPosition(word))?.path ?? word } + [JournalPath.defaultPath]
    guard let path = names.first(where: JournalPath.isJournal) else { return nil }
    return try JournalInput(path, context.environment, seeksFrom: 0)
  }

  private static func typeCounts(_ journal: JournalInput) -> [String: Int] {
    var counts: [String: Int] = [:]
    var left = maximumEvents
    try? journal.history.forEachHeading(after: 0) { heading in
      counts[heading.typeName, default: 0] += 1
      left -= 1
      return left > 0
    }
    return counts
  }

  /// The last state that is known, from a stored one where the journal is long.
  private static func state(of journal: JournalInput?, _ context: CommandContext) -> AnyState? {
    guard let journal, journal.otherDomain == nil else { return nil }
    let length = journal.history.reader.segments.reduce(0) { $0 &+ $1.length }
    guard length <= maximumLength || journal.trust.isSeeking else { return nil }
    return (try? journal.states.reading(at: .end, context))?.state
  }

  /// The pseudonyms of the accounts that a state has by themselves.
  private static func accounts(of state: AnyState) -> [String] {
    guard case .members(let members)? = state.tree(at: "/accounts") else { return [] }
    return members.map(\.name).filter { $0.hasPrefix("a") && UInt64($0.dropFirst()) != nil }
  }

  /// Every value that is set, and every part that holds one, as far as their names are shown.
  private static func paths(of state: AnyState, _ redaction: Redaction) -> [String] {
    var seen: Set<String> = []
    var paths: [String] = []
    for leaf in state.tree().leaves(under: "") where leaf.value != .unset {
      var part = ""
      for name in redaction.shown(statePath: leaf.path).split(separator: "/") {
        part += "/" + name
        if seen.insert(part).inserted { paths.append(part) }
      }
    }
    return paths
  }

  /// Whether no shell needs to quote a word.
  private static func isPlain(_ word: String) -> Bool {
    word.utf8.allSatisfy { byte in
      (0x30...0x39 ~= byte) || (0x41...0x5A ~= byte) || (0x61...0x7A ~= byte) || "._-/+#:@".utf8.contains(byte)
    }
  }
}
