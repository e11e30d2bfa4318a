import AppProtection
import EventSourcing
import EventSourcingKit
import Journal
import Synchronization

/// App protection in an app extension: decides by the state that the app writes, and hands commands to the app.
///
/// ```swift
/// let follower = try PolicyFollower(at: journal, spool: folder, name: "share-extension", keys: keys)
/// let updates = Task { try await follower.follow() }
/// let decision = follower.policy(for: alice).isSaveToAllowed(to: .box, account: nil)
/// let ticket = try follower.submit(.requestCheckIn(alice))  // durable; the app carries it out
/// ```
///
/// It takes no lock and never writes the journal. Decisions are made from the latest state that was read, at once and without
/// the app; ``update()`` reads on, ``follow(_:)`` keeps it current. Sealed names need the app's ``AccountKeys``: without them no
/// account is found by name.
///
/// An extension that may write takes the app's place when the app is gone: ``takeOver(options:)``.
///
/// **Threads.** All members may be called from any thread. State reads never wait.
public final class PolicyFollower: Sendable {
  /// The journal's state.
  public let states: StateFollower<AppProtectionMachine>
  /// Where commands go.
  public let spool: CommandSpool<AppProtectionMachine>

  private let path: String
  private let folder: String
  private let keys: AccountKeys?
  private let clock: any TimeSource
  private let fileSystem: any FileSystem
  private let limit: ReadLimit
  /// Follows what is not durable yet, once ``latestState()`` was asked for it.
  private let written = Mutex<StateFollower<AppProtectionMachine>?>(nil)

  /// - Parameters:
  ///   - journal: The journal's directory in the shared container. The app must have created it.
  ///   - folder: The spool, a folder beside it, the same for the app and all extensions.
  ///   - name: What readers of the journal call this process, such as `share-extension`. It must name no person.
  ///   - keys: The app's keys: needed if its journal is sealed.
  ///   - limit: Whether to include events only once they are known to be durable. ``latestState()`` includes all.
  ///   - clock: The only source of time; by default the system's clocks.
  ///   - fileSystem: The file system that holds the container.
  /// - Throws: ``EngineError/store(_:)`` if the journal cannot be read, ``EngineError/spool(_:)`` if the spool cannot be
  ///   created.
  public init(
    at journal: String, spool folder: String, name: String, keys: AccountKeys? = nil, upTo limit: ReadLimit = .durable,
    clock: any TimeSource = SystemClock(), fileSystem: any FileSystem = PosixFileSystem()
  ) throws(EngineError) {
    (path, self.folder, self.keys, self.clock, self.fileSystem) = (journal, folder, keys, clock, fileSystem)
    self.limit = limit
    do throws(HistoryError) {
      states = try StateFollower(at: journal, upTo: limit, sealing: keys?.sealing, fileSystem: fileSystem)
    } catch {
      throw .store(.history(error), at: path)
    }
    let session = SystemRandom.bytes(8).reduce(0) { $0 << 8 | UInt64($1) }
    do throws(SpoolError) {
      spool = try CommandSpool(
        at: folder, of: states.identity.id, name: name, session: session, sealing: keys?.sealing,
        fileSystem: fileSystem)
    } catch {
      throw .spool(error)
    }
  }

  // MARK: State

  /// The state after everything read so far. Never waits.
  public var state: AppProtectionState { states.state }

  /// Passes ``state`` to `body` without copying it, as for a single decision. Takes no lock, never waits.
  @inlinable
  public func withState<Result: ~Copyable, Failure: Error>(
    _ body: (borrowing AppProtectionState) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    try states.withState(body)
  }

  /// Reads what the app has written since; returns whether there was anything.
  @discardableResult
  public func update() throws(EngineError) -> Bool {
    do throws(HistoryError) { return try states.update() } catch { throw .store(.history(error), at: path) }
  }

  /// The state after everything that the app has written until now, whether that is durable yet or not. Files are protected by
  /// this one: one that is marked for an account whose wipe the app has begun might outlive the wipe.
  ///
  /// ```swift
  /// let files = FileProtectionManager(protector: keys.protector) { try follower.latestState() }
  /// ```
  ///
  /// Unlike ``state``, it may hold events that a power cut of the device takes back.
  ///
  /// - Throws: ``EngineError/store(_:)`` if the journal cannot be read now: no older state stands in for what the app has written.
  public func latestState() throws(EngineError) -> AppProtectionState {
    if limit == .written {
      try update()
      return state
    }
    do throws(HistoryError) {
      return try written.withLock { (follower) throws(HistoryError) in
        if let follower {
          try follower.update()
          return follower.state
        }
        let begun = try StateFollower<AppProtectionMachine>(
          at: path, upTo: .written, sealing: keys?.sealing, fileSystem: fileSystem)
        guard begun.identity.id == states.identity.id else {
          throw .journal(
            JournalError(.conflict, "the journal was replaced since it was read", remedy: "begin another follower"))
        }
        follower = begun
        return begun.state
      }
    } catch {
      throw .store(.history(error), at: path)
    }
  }

  /// Keeps the state current until the task is canceled.
  ///
  /// - Parameter body: Called after each change.
  public func follow(_ body: @Sendable () -> Void = {}) async throws(EngineError) {
    do throws(HistoryError) { try await states.follow(body) } catch { throw .store(.history(error), at: path) }
  }

  // MARK: Decisions

  /// The policy of an account; one that restricts nothing if the account is unknown or unmanaged.
  public func policy(for account: AccountReference?) -> AccountPolicy {
    let state = state
    return AccountPolicy(state: state, account: account.flatMap { state.account(for: $0)?.account })
  }

  /// The current outcome of an account's launch conditions. The command `evaluateLaunch`, handed over, records it.
  public func launchDecision(for account: AccountNumber) -> LaunchDecision {
    state.conditionalLaunch(for: account, at: clock.now())
  }

  /// The configuration of an account (`appConfig`): empty until the account is enrolled.
  public func appConfiguration(for reference: AccountReference?) -> AppConfiguration {
    let state = state
    return reference.flatMap { state.account(for: $0) }.map { state.appConfiguration(for: $0.account) }
      ?? AppConfiguration([])
  }

  // MARK: Commands

  /// Hands a command to the app, durably when this returns. The app carries it out at its next run, exactly once.
  ///
  /// - Parameter idempotencyKey: Pass random bytes if the command may be submitted again after an error.
  /// - Throws: ``EngineError/refused(_:)`` for a command that an extension may not send
  ///   (`AppProtectionCommand.mayBeHandedOver`); ``EngineError/spool(_:)``.
  @discardableResult
  public func submit(
    _ command: AppProtectionCommand, idempotencyKey: [UInt8] = []
  ) throws(EngineError) -> SpoolTicket {
    guard command.mayBeHandedOver else { throw .refused(CommandRefusal(.calledFromExtension)) }
    do throws(SpoolError) {
      return try spool.submit(command, in: state, at: clock.now(), idempotencyKey: idempotencyKey)
    } catch {
      throw .spool(error)
    }
  }

  /// How a command ended; `nil` while it waits for the app.
  public func outcome(of ticket: SpoolTicket) throws(EngineError) -> CommandOutcome? {
    do throws(SpoolError) { return try spool.outcome(of: ticket) } catch { throw .spool(error) }
  }

  /// Waits until the app has carried a command out; `nil` once the task is canceled. An app that does not run carries out
  /// nothing, so give the task an end.
  public func waitForOutcome(of ticket: SpoolTicket) async throws(EngineError) -> CommandOutcome? {
    do throws(SpoolError) { return try await spool.waitForOutcome(of: ticket) } catch { throw .spool(error) }
  }

  // MARK: Writing

  /// Opens the journal for writing if no process writes it; `nil` while one does.
  ///
  /// For an extension that may act for the app while that is gone. Make a ``PolicyEngine`` of the store, with ``drain`` as its
  /// spool, launch it with `isExtension` set, and end it soon: the app waits, and is refused with the name of this process.
  ///
  /// - Parameter options: The options of the store. Its keys are those of this follower.
  /// - Throws: ``EngineError/store(_:)`` if the journal cannot be opened for another reason.
  public func takeOver(options: StoreOptions = StoreOptions()) throws(EngineError) -> EventStore<AppProtectionMachine>?
  {
    var options = options
    options.sealing = keys?.sealing
    do throws(HistoryError) {
      return try EventStore.open(at: path, options: options, fileSystem: fileSystem)
    } catch {
      if case .journal(let reason) = error, reason.code == .locked { return nil }
      throw .store(.history(error), at: path)
    }
  }

  /// The commands of all extensions, for an engine of this process.
  public var drain: SpoolDrain<AppProtectionMachine> {
    SpoolDrain(at: folder, of: states.identity.id, sealing: keys?.sealing, fileSystem: fileSystem)
  }
}
