import CommandLineInterface
import EventSourcing
import Forensics
import Journal
import PlainText
import SystemCalls

/// Why a command failed: one line with the place, the reason and the next command.
package struct Failure: Error, Equatable {
  /// How the tool ends.
  package var exitCode: ExitCode
  /// The place and the reason, without a full stop.
  package var message: String
  /// What to type next; empty when the message is a whole line.
  package var next: String
  /// The folder that was named in place of a journal below it: what to type is the same command on the journal.
  package var below: Below?
  /// The command for documents that shows the file which was named in place of a journal: policy or settings.
  var document: String?
  /// Whether events were retired while the command read them, so that the same command has an answer now.
  package var isOutrun = false

  /// A journal below a folder that was named in its place.
  package struct Below: Equatable {
    let folder: String
    let journal: String

    package init(folder: String, journal: String) { (self.folder, self.journal) = (folder, journal) }
  }

  /// What went wrong, and the command to try next.
  package init(_ exitCode: ExitCode, _ message: String, next: String) {
    self.exitCode = exitCode
    self.message = message
    self.next = next
  }

  /// The whole line, safe on a terminal.
  ///
  /// - Parameters:
  ///   - command: The command that failed.
  ///   - words: The command line.
  package func line(of command: String, _ words: [String]) -> String {
    var next = next
    if let below, let place = words.firstIndex(of: command) {
      var rest = words[(place + 1)...].map(below.replaced)
      // Where no word names the folder, it is the current directory.
      if rest.elementsEqual(words[(place + 1)...]) { rest.insert(below.journal, at: 0) }
      next = ([Tool.name] + words[...place] + rest).map(\.shellWord).joined(separator: " ")
    }
    if let document, Tool.current.hasEveryCommand, let place = words.firstIndex(of: command) {
      let actions = ["diff": "diff", "compare": "diff", "check": "lint", "verify": "lint"]
      let action = actions[command].flatMap { $0 == "diff" && document != "policy" ? nil : $0 } ?? "show"
      let files = words[(place + 1)...].filter { Platform.kind(of: $0) == .file }
      next = ([Tool.name, document, action] + files).map(\.shellWord).joined(separator: " ")
    }
    return TerminalText.visible(next.isEmpty ? message : "\(Tool.name) \(command): \(message). Next: \(next)")
  }
}

extension Failure {
  /// A journal that cannot be read, or not as far as needed.
  package init(_ error: JournalError, journal path: String) {
    guard !path.isEmpty else {
      self.init(.wrongUse, "the journal's name is empty", next: "\(Tool.name) help commands")
      return
    }
    // An error about the whole directory names it already.
    let reason = error.file == path ? "\(error)" : "\(path): \(error)"
    switch error.code {
    case .unsupportedFormat: self.init(.needsNewerTool, reason, next: Self.newerTool)
    case .otherDomain where error.sequence == nil:
      self.init(.needsNewerTool, reason, next: "\(Tool.name) help own-domain")
    case .otherDomain: self.init(.needsNewerTool, reason, next: "\(Tool.name) verify \(path.shellWord)")
    case .damaged, .badCheckpoint:
      self.init(.partial, reason, next: FindingNotes.nextStep(error, path) ?? "\(Tool.name) verify \(path.shellWord)")
    case .outOfRange: self.init(.wrongUse, reason, next: "\(Tool.name) help positions")
    case .tooLarge: self.init(.unreadable, reason, next: "\(Tool.name) help exports")
    case .retired:
      self.init(.partial, reason, next: "\(Tool.name) log \(path.shellWord)")
      isOutrun = true
    case .noSpace: self.init(.unreadable, reason, next: "df \(JournalPath.existing(path).shellWord)")
    case .conflict: self.init(.partial, reason, next: "\(Tool.name) log \(path.shellWord)")
    case .notAJournal:
      let (below, depth) = JournalPath.journals(below: path)
      guard let first = below.first else {
        self = Failure(notAJournal: path, reason)
        return
      }
      let place = depth == 1 ? "this is the folder above a journal" : "a journal is \(depth) folders further down"
      let count = below.count > 1 ? ", the first of \(below.count) there" : ""
      self.init(.unreadable, "\(path): \(place)\(count)", next: "\(Tool.name) log \(first.shellWord)")
      self.below = Below(folder: path, journal: first)
    case .inputOutput where error.file.map { !$0.contains("/") } ?? false && !Self.meansNoRoom(error):
      // This user may not be allowed to read that one file.
      self.init(.unreadable, reason, next: "ls -l \("\(path)/\(error.file ?? "")".shellWord)")
    default: self.init(.unreadable, reason, next: Self.next(error.errorNumber, at: path))
    }
  }

  /// The next step where only a newer program knows more: it says how new this one is.
  package static let newerTool = "\(Tool.name) version"

  /// The next step after the system refused a call on something at a path. Where that is missing, so is what it would show.
  package static func next(_ error: Int32?, at path: String) -> String {
    error.map(Platform.meansNoRoom) ?? false
      ? "df \(JournalPath.existing(path).shellWord)" : "ls -ld \(JournalPath.existing(path).shellWord)"
  }

  /// A path that is certainly not a journal and has none below it.
  private init(notAJournal path: String, _ reason: String) {
    let parent = path.lastIndex(of: "/").map { String(path[..<$0]) } ?? JournalPath.defaultPath
    switch Platform.kind(of: path) {
    case .file, .other:
      let isPart = !parent.isEmpty && JournalPath.isJournal(parent)
      if !isPart, let problem = Self.problem(ofFile: path) {
        self = problem
        return
      }
      self.init(
        .unreadable,
        "\(path): this is a file, but a journal is a folder" + (isPart ? ": the one that contains it" : ""),
        next: isPart ? "\(Tool.name) log \(parent.shellWord)" : "\(Tool.name) help commands")
    case .folder, .linkToFolder, nil:
      self = Self.remains(in: path) ?? Failure(.unreadable, reason, next: "\(Tool.name) help commands")
    }
  }

  /// What a folder has of a journal that holds neither its identity nor an event; `nil` where it has nothing of one.
  private static func remains(in path: String) -> Failure? {
    // Placeholders are hidden.
    guard let names = Platform.names(in: path, limit: 10_000, skipsHidden: false) else { return nil }
    if JournalPath.isJournal(names), let step = FindingNotes.stepForRenamed(in: path),
      let foreign = names.lazy.compactMap({ ForeignName($0) }).first
    {
      return Failure(.unreadable, "\(path): \(foreign.cause)", next: step)
    }
    let own = names.filter {
      ["HEAD", "KEPT", "KEYFRAMES", "LOCK", "STREAMS"].contains($0) || JournalPath.isNumbered($0, ".ckpt")
    }
    guard own.first != nil || names.isEmpty else { return nil }
    let others = own.count > 1 ? " and \((own.count - 1).counted("other file")) of a journal are" : " of a journal is"
    let what =
      own.first.map { "\($0)\(others) here, but no segment (NAME.seg) with its events" } ?? "the folder is empty"
    return Failure(.unreadable, "\(path): \(what); \(FindingNotes.askAgain)", next: "ls -la \(path.shellWord)")
  }

  private static func meansNoRoom(_ error: JournalError) -> Bool {
    error.errorNumber.map(Platform.meansNoRoom) ?? false
  }

  /// Why a file that is no part of a journal is none, where its first bytes or its name say so.
  private static func problem(ofFile path: String) -> Failure? {
    guard let bytes = Platform.beginning(of: path, count: 512) else { return nil }
    if bytes.isEmpty {
      return Failure(.unreadable, "\(path): the file is empty; ask for it again", next: "ls -l \(path.shellWord)")
    }
    let name = path.lowercased()
    if (Tool.current.archiveEndings + [".gz", ".xz", ".zst", ".7z", ".bz2"]).contains(where: name.hasSuffix) {
      return Failure(
        .unreadable, "\(path): the archive is broken: it does not begin as one; ask for it again",
        next: "ls -l \(path.shellWord)")
    }
    let text = bytes.drop { $0 <= 0x20 || [0xEF, 0xBB, 0xBF].contains($0) }
    let isList = text.starts(with: "bplist".utf8) || text.starts(with: "<?xml".utf8)
    guard isList || text.first == UInt8(ascii: "{") || text.first == UInt8(ascii: "[") else { return nil }
    if Tool.current.hasEveryCommand, String(decoding: text, as: UTF8.self).contains("\"scenario\"") {
      return Failure(
        .unreadable, "\(path): this is a scenario, and a journal is a folder",
        next: "\(Tool.name) simulate \(path.shellWord) -o new.pj")
    }
    let kind = isList ? "a property list" : "a JSON document"
    var failure = Failure(
      .unreadable, "\(path): this is \(kind), and a journal is a folder", next: "\(Tool.name) help commands")
    failure.document = isList ? "settings" : "policy"
    return failure
  }

  /// A question about a history that has no answer.
  package init(_ error: HistoryError, journal path: String) {
    let reason = "\(path): \(error.message)"
    switch error {
    case .journal(let error): self.init(error, journal: path)
    case .beforeKeptRange, .timeBeforeKeptRange:
      self.init(
        .wrongUse, "\(reason); write start for the first state that is kept", next: "\(Tool.name) help positions")
    case .afterEnd:
      self.init(.wrongUse, reason, next: "\(Tool.name) help positions")
    case .noStartingState(_, .some): self.init(.needsNewerTool, reason, next: Self.newerTool)
    case .sealing: self.init(.partial, reason, next: "\(Tool.name) verify \(path.shellWord)")
    case .noStartingState:
      self.init(
        .partial, reason, next: FindingNotes.stepForRenamed(in: path) ?? "\(Tool.name) verify \(path.shellWord)")
    case .damaged: self.init(.partial, reason, next: FindingNotes.nextStep([], path, obstacle: error))
    case .unknownType(let sequence, _, _), .unknownVersion(let sequence, _, _), .unknownSlice(let sequence, _),
      .laterRevision(let sequence, _, _):
      self.init(.needsNewerTool, reason, next: "\(Tool.name) show \(path.shellWord) \(sequence)")
    case .unknownField: self.init(.needsNewerTool, reason, next: "\(Tool.name) verify \(path.shellWord)")
    case .notMigrated(_, let from, let to, _):
      self.init(from > to ? .needsNewerTool : .partial, reason, next: "\(Tool.name) verify \(path.shellWord)")
    case .otherMigration(let sequence, _), .unknownWriter(let sequence):
      self.init(.partial, reason, next: "\(Tool.name) show \(path.shellWord) \(sequence)")
    case .unknownFeatures(let sequence, _, _):
      self.init(.needsNewerTool, reason, next: "\(Tool.name) show \(path.shellWord) \(sequence)")
    case .undecodable(let sequence, _, _), .foreignPayload(let sequence, _):
      self.init(.partial, reason, next: "\(Tool.name) show \(path.shellWord) \(sequence)")
    }
  }

  /// Asks a question of a journal's history.
  package static func translating<Result: ~Copyable>(
    journal path: String, _ body: @autoclosure () throws(HistoryError) -> Result
  ) throws(Failure) -> Result {
    do throws(HistoryError) {
      return try body()
    } catch {
      throw Failure(error, journal: path)
    }
  }

  /// A position that cannot be used; `path` is the journal's if the position is well-formed but not in it.
  package init(_ error: PositionError, journal path: String? = nil) {
    let reason = (path.map { "\($0): " } ?? "") + error.description
    switch error.code {
    case .malformed, .outside, .reversed: self.init(.wrongUse, reason, next: "\(Tool.name) help positions")
    case .lost: self.init(.partial, reason, next: "\(Tool.name) verify \((path ?? JournalPath.defaultPath).shellWord)")
    }
  }

  /// A document that is not accepted.
  package init(document error: some Error & CustomStringConvertible) {
    self.init(.unreadable, "\(error)", next: "\(Tool.name) help policy")
  }

  /// An error of the argument parser, which is a whole line by itself.
  package init(_ error: ArgumentError) {
    self.init(.wrongUse, error.description, next: "")
  }

  /// A filter that cannot be used.
  package init(_ error: FilterError, option: String) {
    self.init(.wrongUse, "\(option): \(error)", next: "\(Tool.name) help filters")
  }
}

extension Failure.Below {
  /// A word of a command line with the journal in place of the folder, also before a position.
  package func replaced(in word: String) -> String {
    if word == folder { return journal }
    return word.hasPrefix(folder + "@") ? journal + word.dropFirst(folder.count) : word
  }
}

extension String {
  /// The word as a shell takes it. Bytes that cannot be shown, such as those that are not UTF-8, stand as `\xE9` in
  /// `$'…'`, which bash, zsh and ksh turn back.
  package var shellWord: String {
    guard TerminalText.visible(self) == self else {
      return "$'" + unicodeScalars.map(Self.quoted).joined() + "'"
    }
    let isPlain =
      !isEmpty
      && utf8.allSatisfy { byte in
        (0x30...0x39 ~= byte) || (0x41...0x5A ~= byte) || (0x61...0x7A ~= byte) || byte >= 0x80
          || "@%+=:,./_~-#".utf8.contains(byte)
      }
    return isPlain
      ? self : "'" + split(separator: "'", omittingEmptySubsequences: false).joined(separator: "'\\''") + "'"
  }

  /// A character between `$'` and `'`.
  private static func quoted(_ scalar: Unicode.Scalar) -> String {
    if scalar == "'" || scalar == "\\" { return "\\\(scalar)" }
    let text = String(scalar)
    guard TerminalText.visible(text) != text else { return text }
    return FileName.bytes(text).map { "\\x\($0 < 16 ? "0" : "")\(String($0, radix: 16, uppercase: true))" }.joined()
  }
}
