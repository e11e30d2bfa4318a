import AppProtectionKit
import PolicyServices

/// A notes app with accounts of two kinds: those whose data an organization protects, and all others.
///
/// It keeps no truth of its own about accounts: who is signed in, and what may be done, is asked of the engine each time.
@MainActor
final class NotesApp {
  let phone: Phone
  let terminal: Terminal
  let engine: PolicyEngine
  let notes: NoteFiles
  let delegate: NotesDelegate
  /// The window on the screen; `nil` is the one that shows the notes of one account.
  var window: UInt32?
  /// What the user chose to see.
  var shown = Screen.own
  private let clock: any TimeSource
  private let spool: SpoolDrain<AppProtectionMachine>
  /// The trouble of the spool that the user has seen.
  private var told: Set<String> = []

  /// Starts the app: opens the journal, finishes what the last process left, and shows what it showed.
  static func launch(_ options: Options, _ terminal: Terminal, _ clock: any TimeSource) async throws -> NotesApp {
    let phone = Phone(options)
    try phone.makeFolders()
    let keys = try phone.openKeys()
    // Names of persons are sealed in the journal, with keys that a wipe of the person destroys.
    var storage = StoreOptions()
    storage.sealing = keys.sealing
    let store = try open(phone.journal, storage, create: try keys.areUnused)
    let app = NotesApp(phone, terminal, keys, store, service: options.service, clock)
    try await app.begin()
    return app
  }

  /// Opens the journal, or begins one. One that was lost is not begun again: its numbers, and with them the keys and the notes,
  /// would be given to other people.
  private static func open(
    _ path: String, _ options: StoreOptions, create: Bool
  ) throws -> EventStore<AppProtectionMachine> {
    do { return try EventStore.open(at: path, create: create, options: options) } catch HistoryError.journal(let error)
      where error.code == .notAJournal
    {
      throw PhoneError(
        path, "the journal of this app is gone",
        remedy: "Restore it; or save the notes that can be read, remove the app's container and begin again")
    }
  }

  private init(
    _ phone: Phone, _ terminal: Terminal, _ keys: AccountKeys, _ store: EventStore<AppProtectionMachine>,
    service: String, _ clock: any TimeSource
  ) {
    let delegate = NotesDelegate(store, phone, terminal)
    let container = ContainerFiles(in: phone.documents, protector: keys.protector, state: { store.state })
    // Plain text that a process left when it died while it encrypted or decrypted a file.
    container.removeLeftovers()
    spool = SpoolDrain(at: phone.spool, of: store.journal.id, sealing: keys.sealing)
    engine = PolicyEngine(
      store: store, clock: clock, service: DirectoryService(at: service, bundleID: phone.bundleID), files: container,
      delegates: .init(
        enrollment: delegate, policy: delegate, compliance: delegate,
        presentation: TerminalPresentation(
          read: terminal.read, write: terminal.write, pins: phone, name: { store.state.name(of: $0) })),
      recordsRefusals: true, spool: spool)
    notes = NoteFiles(phone, keys, state: { store.state })
    self.phone = phone
    self.terminal = terminal
    self.clock = clock
    self.delegate = delegate
  }

  /// This process, at its start and whenever it comes back from a pause.
  static let process = ProcessStart(appVersion: "1.0")

  private func begin() async throws {
    var settings = AppSettings()
    settings.multiIdentity = true
    // A note that came in from another account stays that account's when it is protected.
    settings.assumptions.protectionConflictRefuses = true
    try await reportingSpool { try await engine.launch(Self.process, settings: settings) }
    try tidy()
    // No identity is set at launch. What was on the screen comes back as if the user had chosen it, conditions included.
    shown = Screen(text: phone.disk.text(of: phone.lastShown))
    guard case .account(let last) = shown else { return }
    guard isSignedIn(last) else { return rememberShown() }
    do { try await show(AccountReference(last)) } catch let refusal as NotesRefusal { terminal.write("\(refusal)") }
  }

  /// Does what a command led to, and what the share extension handed over. An app with a run loop keeps a task in `runWhenDue`
  /// instead; this one sleeps while it waits for a line, and catches up with the next one.
  func run() async throws {
    try await reportingSpool { try await engine.run() }
    try tidy()
  }

  /// Does what a request to the service led to.
  ///
  /// - Parameter account: The account that the user named; `nil` if the user was asked.
  /// - Throws: ``Unsuccessful`` if the service did not do what the user wants. Why was said already.
  func run(for account: AccountReference?) async throws {
    // What failed before, as at launch, is not this command's.
    _ = delegate.takeFailure(of: nil)
    try await run()
    let number = account.flatMap { engine.state.account(for: $0)?.account }
    if let code = delegate.takeFailure(of: number) { throw Unsuccessful(code: code) }
  }

  /// Tells the user, once, of what the share extension handed over and cannot be carried out. It keeps the app from nothing:
  /// all else is done by then.
  private func reportingSpool(_ work: @MainActor () async throws -> Void) async throws {
    var troubles: [String] = []
    do { try await work() } catch EngineError.spool(let error) { troubles.append("\(error)") }
    troubles += ((try? spool.setAside()) ?? []).map { "was set aside: \($0)" }
    for trouble in troubles where told.insert(trouble).inserted {
      terminal.write("what the share extension handed over: \(trouble)")
    }
  }

  /// Whether the user agreed to a restart, or its postponement is over.
  var mustRestart: Bool {
    engine.withState { state in
      guard let restart = state.process.restart else { return false }
      return restart.answer == .dialogShown || restart.due.map { $0 <= clock.now().wallNanoseconds } == true
    }
  }

  /// Whether the journal is released, as while a phone suspends the app.
  var isPaused: Bool { engine.store.isSuspended }

  /// Ends the process in an orderly way. The system ends a paused one without a word.
  func end() async throws { if !isPaused { try await engine.end() } }
}
