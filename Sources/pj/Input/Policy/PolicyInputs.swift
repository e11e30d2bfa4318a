import JSON
import PolicyDocuments

/// The input of `pj policy show` and `lint`, one file after the other. A file that cannot be read does not stop the rest.
struct PolicyInputs {
  /// How the command ends, as far as reading decides.
  private(set) var exitCode = ExitCode.done
  /// The journals among the inputs.
  private(set) var journals: [JournalInput] = []
  /// How many documents were skipped, by what they are.
  private var skipped: [String: Int] = [:]
  /// Whether a known document was read or skipped.
  private var isAnyKnown = false
  /// The first refusals, each with its file: they are named where nothing else is known.
  private var refusals: [(file: String, error: PolicyDocumentError)] = []
  /// Whether they were named.
  private(set) var namesRefusals = false
  /// Whether documents of foreign types are known: the command has an answer for them.
  private let answersForeign: Bool
  /// The most refusals named one by one.
  private static let mostNamed = 8

  /// Reads the named inputs, and passes every readable file to `body`.
  ///
  /// - Parameter answersForeign: Whether the command has an answer for documents of foreign types.
  init(
    _ words: [String], _ context: CommandContext, answersForeign: Bool = false,
    _ body: (PolicyInput, inout PolicyInputs) -> Void
  ) {
    self.answersForeign = answersForeign
    for word in words {
      do throws(Failure) {
        let paths = try Self.paths(word, context)
        context.environment.progress?.begin("reading", total: UInt64(paths.count), in: .items("files"))
        for path in paths {
          read(path ?? word, isFromFolder: path != nil, context, body)
          context.environment.progress?.note(1)
        }
      } catch {
        fail(error, word, context)
      }
    }
    guard !isAnyKnown else { return }
    raise(to: .unreadable)
    namesRefusals = !refusals.isEmpty
    for (file, error) in refusals { fail(Failure(error), file, context) }
  }

  /// The files in a folder; for everything else `nil` alone.
  private static func paths(_ word: String, _ context: CommandContext) throws(Failure) -> [String?] {
    let isFolder = [.folder, .linkToFolder].contains(Platform.kind(of: word))
    guard isFolder, context.arguments.value(of: "account") == nil, !JournalPath.isJournal(word) else { return [nil] }
    let paths = try FolderInput.documents(in: word)
    if paths.isEmpty { context.note("\(word): the folder holds no document. Next: ls \(word.shellWord)") }
    return paths
  }

  private mutating func read(
    _ path: String, isFromFolder: Bool, _ context: CommandContext, _ body: (PolicyInput, inout PolicyInputs) -> Void
  ) {
    do throws(Failure) {
      let input = try PolicyInput(path, context, isFromFolder: isFromFolder, journals: journals)
      if let journal = input.reading?.journal { journals.append(journal) }
      if !input.policies.isEmpty || !input.others.isEmpty { isAnyKnown = true }
      for refusal in input.refusals {
        skip(refusal)
        if refusals.count < Self.mostNamed { refusals.append((path, refusal)) }
      }
      if input.isEmpty, !isFromFolder { context.note(input.nothing) }
      body(input, &self)
      input.reading?.note(context)
      raise(to: input.exitCode)
    } catch {
      fail(error, path, context)
    }
  }

  private mutating func skip(_ refusal: PolicyDocumentError) {
    switch refusal.foreignKind {
    case .platform(let name):
      isAnyKnown = true
      skip(name)
    case .type(let name):
      if answersForeign { isAnyKnown = true }
      skip(name)
    case nil: skip("of unknown type")
    }
  }

  /// Counts a document that the command does nothing with.
  mutating func skip(_ kind: String) {
    skipped[kind, default: 0] += 1
  }

  private mutating func raise(to code: ExitCode) {
    if code.rawValue > exitCode.rawValue { exitCode = code }
  }

  private mutating func fail(_ failure: Failure, _ word: String, _ context: CommandContext) {
    // The failure decides how the command ends.
    isAnyKnown = true
    raise(to: failure.exitCode)
    if context.isJSON {
      context.output.line(
        .record("unreadable", [.init("file", .string(word)), .init("error", .string(failure.message))]))
    }
    context.note(failure)
  }

  /// `skipped: 3 Android, 1 Windows`; `nil` when nothing was.
  var skippedText: String? {
    guard !skipped.isEmpty else { return nil }
    return "skipped: " + sorted.map { "\($0.count) \($0.kind)" }.joined(separator: ", ")
  }

  /// What was skipped, for the last record of JSON Lines.
  var skippedMember: JSONObject.Member {
    .init("skipped", .object(sorted.map { .init($0.kind, .number($0.count)) }))
  }

  private var sorted: [(kind: String, count: Int)] {
    skipped.map { (kind: $0.key, count: $0.value) }.sorted { $0.kind.utf8.lexicographicallyPrecedes($1.kind.utf8) }
  }
}
