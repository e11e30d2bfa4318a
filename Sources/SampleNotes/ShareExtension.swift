import AppProtectionKit

/// The share extension: a process of its own, in which the user of another app hands something to the notes.
///
/// It never writes the journal. It decides by the state that the app wrote, stores what may come in, and hands over to the app
/// what only that may do, now or at its next start.
@MainActor
final class ShareExtension {
  private let terminal: Terminal
  private let follower: PolicyFollower
  private let notes: NoteFiles
  /// What this process handed over.
  private var handedOver: [(command: AppProtectionCommand, ticket: SpoolTicket)] = []

  init(_ options: Options, _ terminal: Terminal, _ clock: some TimeSource) throws {
    let phone = Phone(options)
    guard phone.hasRun else { throw NotesRefusal("open the app first: it was never started on this phone") }
    let keys = try phone.openKeys()
    let follower = try PolicyFollower(
      at: phone.journal, spool: phone.spool, name: "share-extension", keys: keys, clock: clock)
    notes = NoteFiles(phone, keys, state: { try follower.latestState() })
    self.follower = follower
    self.terminal = terminal
  }

  func listAccounts() throws {
    try follower.update()
    let state = follower.state
    for account in state.accounts.records.map(\.account) where state.isSignedIn(account) {
      terminal.write("\(account)  \(state.name(of: account)): \(state.isManaged(account) ? "managed" : "not managed")")
    }
  }

  /// Makes a note of a shared item.
  ///
  /// - Parameter name: The account for which it is taken in; `nil` takes its owner if that is signed in here, and otherwise the
  ///   user's own notes.
  func receive(_ item: SharedItem, as note: String, for name: String?) throws {
    try follower.update()
    let account =
      try name.map { try follower.state.number(ofSignedIn: try AccountReference(typed: $0)) } ?? owner(of: item)
    if let account { try requireOpen(account) }
    do { try receive(item, as: note, of: account) } catch {
      // The app removes the folder of an account that is signed out, also while something is taken in for it.
      try follower.update()
      if let account { _ = try follower.state.number(ofSignedIn: AccountReference(account)) }
      throw error
    }
  }

  private func receive(_ item: SharedItem, as note: String, of account: AccountNumber?) throws {
    var note = try Note(note, of: account)
    var decision = try notes.receive(item, as: note)
    if decision.outcome == .needsUnmanagedIdentity {
      // Nothing is on the screen here that would stand in the way.
      note = try Note(note.name, of: nil)
      decision = try notes.receive(item, as: note)
    }
    guard decision.outcome == .allowed || decision.outcome == .allowedAsOrganizationData else {
      throw NotesRefusal(blockedBy: decision)
    }
    // A policy may have come into force between the decision and the write.
    try notes.protect(note)
    terminal.write("taken in: \(note.account.map { follower.state.name(of: $0) } ?? "your own")")
  }

  /// The account that owns an item, if it is signed in here.
  private func owner(of item: SharedItem) throws -> AccountNumber? {
    guard let owner = try notes.data.protectionInfo(for: item)?.owner.flatMap({ AccountReference($0) }) else {
      return nil
    }
    return try? follower.state.number(ofSignedIn: owner)
  }

  /// Refuses an account whose launch conditions are not met. An extension asks for no PIN: the app does, once it has recorded
  /// that the conditions are due.
  private func requireOpen(_ account: AccountNumber) throws {
    let decision = follower.launchDecision(for: account)
    guard !decision.outcome.isPassing else { return }
    try follower.submit(.evaluateLaunch(AccountReference(account), .resume))
    throw NotesRefusal("open the app first: \(decision.reason)")
  }

  /// Hands a command to the app. It lasts from then on, whether the app runs or not.
  func handOver(_ command: AppProtectionCommand) throws {
    try follower.update()
    handedOver.append((command, try follower.submit(command)))
    terminal.write("handed over")
  }

  /// Says how each command ended that this process handed over, and hands over again what was not taken for its own.
  func listOutcomes() throws {
    try follower.update()
    for index in handedOver.indices {
      let (command, ticket) = handedOver[index]
      guard let outcome = try follower.outcome(of: ticket) else {
        terminal.write("waits for the app")
        continue
      }
      terminal.write("\(outcome)")
      guard outcome.asksForResubmission else { continue }
      // The same key: whatever the outcome says, the app carries it out once.
      handedOver[index].ticket = try follower.submit(command, idempotencyKey: ticket.idempotencyKey)
      terminal.write("handed over again")
    }
  }
}
