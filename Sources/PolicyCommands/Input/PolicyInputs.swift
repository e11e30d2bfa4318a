import CommandSupport
import PolicyDocuments

/// The input of an action that takes many documents, one file after the other. A file that cannot be read does not stop the rest.
struct PolicyInputs {
  /// How the command ends, as far as reading decides.
  private(set) var exitCode = ExitCode.done
  /// The journals among the inputs.
  private(set) var journals: [JournalInput] = []
  /// How many documents were skipped, by what they are.
  private var skipped: [String: Int] = [:]
  /// How many documents were decoded.
  private(set) var decoded = 0
  /// What was refused, with the reasons.
  private(set) var failures: [(file: String, reason: String, next: String)] = []
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
        let isInJournal = context.arguments.value(of: "account") != nil
        try read(
          isInJournal ? [DocumentInput(journal: word)] : try DocumentInput.all(word, context), context, body)
      } catch {
        fail(error, word, context)
      }
    }
    guard !isAnyKnown else { return }
    raise(to: .unreadable)
    namesRefusals = !refusals.isEmpty
    for (file, error) in refusals { fail(Failure(document: error), file, context) }
  }

  /// Reads the documents of one word: first those assignments that are in files of their own.
  private mutating func read(
    _ documents: [DocumentInput], _ context: CommandContext, _ body: (PolicyInput, inout PolicyInputs) -> Void
  ) throws(Failure) {
    var assignments = AssignmentLists()
    context.environment.progress?.begin("reading", total: UInt64(documents.count), in: .items("files"))
    var left: [DocumentInput] = []
    for document in documents {
      guard let path = document.path, AssignmentLists.holds(path), let bytes = try? document.bytes(context),
        (try? assignments.add(bytes, path: path)) != nil
      else {
        left.append(document)
        continue
      }
      context.environment.progress?.note(1)
    }
    for document in left {
      read(document, &assignments, context, body)
      context.environment.progress?.note(1)
    }
    for _ in assignments.orphans { skip("assignments without their policy") }
  }

  private mutating func read(
    _ document: DocumentInput, _ assignments: inout AssignmentLists, _ context: CommandContext,
    _ body: (PolicyInput, inout PolicyInputs) -> Void
  ) {
    do throws(Failure) {
      let input = try PolicyInput(document, context, journals: journals, assignments: &assignments)
      if let journal = input.reading?.journal { journals.append(journal) }
      if !input.policies.isEmpty || !input.others.isEmpty { isAnyKnown = true }
      decoded += input.policies.count + input.others.count
      for refusal in input.refusals {
        guard !refusal.isBroken || input.skips(refusal) else {
          fail(Self.failure(refusal), document.shownName, context)
          continue
        }
        skip(refusal)
        if refusals.count < Self.mostNamed { refusals.append((document.shownName, refusal)) }
      }
      input.noteContinuation(context)
      if input.isEmpty, !document.isFromExport { context.note(input.nothing) }
      body(input, &self)
      input.reading?.note(context)
      raise(to: input.exitCode)
    } catch {
      fail(error, document.shownName, context)
    }
  }

  /// Why a document is refused. Of a script, what only a run would make is left out, and the rest is read.
  private static func failure(_ refusal: PolicyDocumentError) -> Failure {
    refusal.code == .statement
      ? Failure(.partial, "\(refusal)", next: "pj help policy") : Failure(document: refusal)
  }

  /// The command that shows what became of the documents of some words.
  static func list(_ words: [String]) -> String {
    "pj policy list" + words.map { " \($0.shellWord)" }.joined()
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

  /// How a command ends, as far as reading decides: where it judged nothing, no more can be right than that.
  func exitCode(ofNothing isEmpty: Bool) -> ExitCode { isEmpty && exitCode == .done ? .unreadable : exitCode }

  private mutating func raise(to code: ExitCode) {
    exitCode = .worst(exitCode, code)
  }

  private mutating func fail(_ failure: Failure, _ word: String, _ context: CommandContext) {
    // The failure decides how the command ends.
    isAnyKnown = true
    failures.append((word, failure.message, failure.next))
    raise(to: failure.exitCode)
    context.show(.unreadable, (word, failure.message))
    context.note(failure)
  }

  /// `skipped: 3 Android, 1 Windows`; `nil` when nothing was.
  var skippedText: String? {
    guard !skipped.isEmpty else { return nil }
    // What was skipped may have been named as a failure as well, where nothing was known.
    let count = failures.count - (namesRefusals ? refusals.count : 0)
    let refused = count == 0 ? "" : "; refused: \(count)"
    return "skipped: " + skippedCounts.map { "\($0.value) \($0.name)" }.joined(separator: ", ") + refused
  }

  /// How many documents were skipped, by what they are.
  var skippedCounts: [(name: String, value: Int)] {
    skipped.map { (name: $0.key, value: $0.value) }.sorted { $0.name.utf8.lexicographicallyPrecedes($1.name.utf8) }
  }
}
