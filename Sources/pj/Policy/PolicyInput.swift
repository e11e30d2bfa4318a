import AppProtection
import CommandLineInterface
import EventSourcing
import Forensics
import PolicyDocuments

/// What `pj policy` was given: a file, or the policy of an account in a journal.
struct PolicyInput {
  /// What it is called, as it was given.
  let name: String
  /// The policies.
  let policies: [PolicyFile.Item]
  /// Other documents in a file.
  var others: [ManagementDocument] = []
  /// What in a file is nothing of this.
  var refusals: [PolicyDocumentError] = []
  /// The journal's state; `nil` for a file.
  var reading: StateReading?

  /// How a command ends that could do what it was asked to with this.
  var exitCode: ExitCode { isEmpty ? .unreadable : reading?.exitCode ?? .done }

  /// Whether a file, such as an empty list, has nothing that this command knows.
  var isEmpty: Bool { policies.isEmpty && others.isEmpty }

  /// Reads what a word names.
  init(_ word: String, _ context: CommandContext) throws(Failure) {
    name = word
    if let account = context.arguments.value(of: "account") {
      let (reading, document) = try Self.journalPolicy(word, account, context)
      self.reading = reading
      policies = [PolicyFile.Item(document)]
      return
    }
    if Platform.exists(word + "/JOURNAL") {
      throw Failure(
        .wrongUse, "\(word): this is a journal; whose policy is meant is said with --account",
        next: "pj state \(word) --path /accounts")
    }
    let bytes = try FileInput.bytes(of: word)
    do throws(PolicyDocumentError) {
      let file = try PolicyFile.read(bytes, name: word)
      policies = file.policies
      others = file.others
      refusals = file.refusals
    } catch {
      throw Failure(.unreadable, "\(error)", next: "pj help policy")
    }
  }

  private static func journalPolicy(
    _ word: String, _ name: String, _ context: CommandContext
  ) throws(Failure) -> (StateReading, PolicyDocument) {
    let place = try PositionInput.journalPosition(word)
    let reading = try JournalInput(place.path, context.environment.progress).reading(
      at: place.position ?? .end, context)
    let account = try reading.account(name)
    guard let record = reading.state.policies[account] else {
      try reading.expectEnd("what policy \(account) has")
      throw Failure(
        .wrongUse, "\(place.path): \(account) has no policy after event \(reading.sequence)",
        next: "pj log \(place.path) --account \(account) --type 'policy.*'")
    }
    return (reading, record.document)
  }

  /// Refuses what has no policy.
  func expectPolicy() throws(Failure) {
    guard policies.isEmpty else { return }
    let kind = others.first.map { " (\($0.kindName))" } ?? ""
    throw Failure(.unreadable, "\(name): there is no policy in it\(kind)", next: "pj policy show \(name)")
  }

  /// The only policy.
  func policy() throws(Failure) -> PolicyFile.Item {
    if policies.count == 1, let policy = policies.first { return policy }
    try expectPolicy()
    throw Failure(
      .wrongUse, "\(name): there are \(policies.count) policies in it, and one is wanted",
      next: "pj policy show \(name)")
  }
}
