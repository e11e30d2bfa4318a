import AppProtection
import CommandLineInterface
import CommandSupport
import EventSourcing
import Forensics
import PolicyDocuments
import ProtectionSupport

/// An input of `pj policy`: a file, standard input, or the policy of an account in a journal.
struct PolicyInput {
  /// Its name as it was typed, without names of people.
  let name: String
  /// The name in a next command; `nil` where the name is withheld.
  private let word: String?
  /// Whether a folder or an archive brought it.
  let isFromExport: Bool
  /// Everything in the file, in its order.
  let policies: [PolicyFile.Item]
  /// Other documents in a file.
  var others: [ManagementDocument] = []
  /// What lint found in app configurations among them.
  var configurationFindings: [PolicyFinding] = []
  /// Of each of ``others``, the members whose values are unknown.
  var lostInOthers: [Set<String>] = []
  /// Whether what a document lacks is unknown.
  var isPartial = false
  /// Documents of foreign types in a file.
  var refusals: [PolicyDocumentError] = []
  /// Where the document begins; `nil` for a journal, and for lines and property lists.
  var place: DocumentPlace?
  /// Where a list says that it goes on in another response.
  var continuation: DocumentPlace?
  /// The shape of the export that the file is from; `nil` for a journal.
  var shape: ExportShape?
  /// The journal's state; `nil` for a file.
  var reading: TrustedState?

  /// The exit code of a command that succeeds with this input.
  var exitCode: ExitCode { reading?.exitCode ?? (continuation == nil && !hasUnknown ? .done : .partial) }

  /// Whether a value of a document is lost or unreadable.
  private var hasUnknown: Bool { policies.contains { !$0.lost.isEmpty } || lostInOthers.contains { !$0.isEmpty } }

  /// Says that a list goes on elsewhere.
  func noteContinuation(_ context: CommandContext) {
    guard let continuation else { return }
    context.note(
      "\(name): \(continuation): the list goes on in another response, which is not here. Next: get @odata.nextLink")
  }

  /// Whether something unknown is merely counted: in an export much else may be.
  func skips(_ refusal: PolicyDocumentError) -> Bool {
    refusal.code == .unknownType || Self.isText(name) && refusal.code.isJSON ? isFromExport : false
  }

  /// A command on this input as a next step.
  func next(_ command: String) -> String {
    word.map { "\(command) \($0.shellWord)" } ?? "\(command), with the file's name"
  }

  /// Whether a file, such as an empty list, has no document at all.
  var isEmpty: Bool { policies.isEmpty && others.isEmpty && refusals.isEmpty }

  /// Reads what a word names.
  ///
  /// - Parameters:
  ///   - journals: Those that other words named: each is opened once.
  ///   - mayBeFile: Whether a word may name a file even where an account is named, which another word's journal has.
  init(
    _ word: String, _ context: CommandContext, journals: [JournalInput] = [], mayBeFile: Bool = false
  ) throws(Failure) {
    var assignments = AssignmentLists()
    try self.init(
      DocumentInput(word: word, context), context, journals: journals, mayBeFile: mayBeFile, assignments: &assignments)
  }

  /// Reads a document.
  ///
  /// - Parameters:
  ///   - journals: Those that other words named: each is opened once.
  ///   - mayBeFile: Whether a word may name a file even where an account is named.
  ///   - assignments: Those that an export has in files of their own.
  init(
    _ document: DocumentInput, _ context: CommandContext, journals: [JournalInput], mayBeFile: Bool = false,
    assignments: inout AssignmentLists
  ) throws(Failure) {
    let word = document.name
    isFromExport = document.isFromExport
    if !isFromExport, let account = context.arguments.value(of: "account"), !(mayBeFile && Self.isPlainFile(word)) {
      // The @ of a journal stands before a position.
      (name, self.word) = (word, word)
      let (reading, document) = try Self.journalPolicy(word, account, journals, context)
      self.reading = reading
      policies = [PolicyFile.Item(document)]
      return
    }
    name = document.shownName
    self.word = name == word ? word : nil
    if JournalPath.isJournal(word) {
      throw Failure(
        .wrongUse, "\(word): this is a journal; --account names the account whose policy is meant",
        next: "pj state \(word.shellWord) --path /accounts")
    }
    let bytes = try document.bytes(context)
    do throws(PolicyDocumentError) {
      var file = try PolicyFile.read(bytes, name: word)
      if name != word { file.rename(name) }
      if let path = document.path { assignments.join(&file, path: path) }
      place = file.place
      policies = file.policies
      others = file.others
      configurationFindings = file.configurationFindings
      lostInOthers = file.lostInOthers
      isPartial = file.isPartial
      refusals = file.refusals
      continuation = file.continuation
      shape = file.shape
    } catch {
      var error = error
      error.file = name
      let isSkipped = error.code == .unknownType || !error.isBroken || (Self.isText(word) && error.code.isJSON)
      guard isFromExport, isSkipped else { throw Failure(document: error) }
      policies = []
      refusals = [error]
    }
  }

  /// Whether a word names a file in which no journal is packed.
  private static func isPlainFile(_ word: String) -> Bool {
    Platform.kind(of: word) == .file && (try? PackedInput.file(word, SystemArchives())) == nil
  }

  /// Whether a name is that of text, which is JSON only by accident.
  private static func isText(_ name: String) -> Bool { name.lowercased().hasSuffix(".txt") }

  private static func journalPolicy(
    _ word: String, _ name: String, _ journals: [JournalInput], _ context: CommandContext
  ) throws(Failure) -> (TrustedState, PolicyDocument) {
    let place = try PositionInput.journalPosition(word)
    let journal: JournalInput
    if let opened = journals.first(where: { $0.path == place.path }) {
      journal = opened
    } else {
      journal = try JournalInput(seekingIn: place.path, context)
    }
    let reading = try journal.states.reading(at: place.position ?? .end, context)
    let account = try reading.account(name)
    reading.account = account
    guard let record = reading.protectionState.policies[account] else {
      try reading.expectEnd("what policy \(account) has")
      throw Failure(
        .wrongUse, "\(place.path): \(account) has no policy after event \(reading.sequence)",
        next: "pj log \(place.path.shellWord) --account \(account) --type 'policy.*'")
    }
    return (reading, record.document)
  }

  /// Why a file without a document is refused.
  var nothing: Failure {
    Failure(.unreadable, "\(located): the document lists no policy and nothing else", next: "pj help policy")
  }

  /// The name and the place where the document begins.
  private var located: String { [name, place?.description].compactMap { $0 }.joined(separator: ": ") }

  /// Refuses what has no policy.
  func expectPolicy() throws(Failure) {
    // Of a list in which a policy is broken, no answer can be given.
    if let broken = refusals.first(where: \.isBroken) { throw Failure(document: broken) }
    guard policies.isEmpty else { return }
    if let refusal = refusals.first { throw Failure(document: refusal) }
    guard let other = others.first else { throw nothing }
    throw Failure(
      .unreadable, "\(located): the document holds no policy (\(other.kindName))",
      next: next("pj policy show"))
  }

  /// The only document, if it is an app configuration.
  var configuration: AppConfigurationDocument? {
    guard policies.isEmpty, refusals.isEmpty, others.count == 1, case .appConfiguration(let document) = others[0] else {
      return nil
    }
    return document
  }

  /// The only policy.
  func policy() throws(Failure) -> PolicyFile.Item {
    if let broken = refusals.first(where: \.isBroken) { throw Failure(document: broken) }
    if policies.count == 1, let policy = policies.first { return policy }
    try expectPolicy()
    throw Failure(
      .wrongUse, "\(located): the document holds \(policies.count) policies; one is needed",
      next: next("pj policy show"))
  }
}
