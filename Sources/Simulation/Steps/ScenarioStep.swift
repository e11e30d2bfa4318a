import AppProtection
import JSON

/// One step of a scenario, with its place in the file for messages.
public struct ScenarioStep: Equatable, Sendable {
  /// The action to carry out.
  public var action: Action
  /// Its place in the file.
  public var position: JSONPosition

  /// Omit `position` for a step that does not come from a file.
  public init(_ action: Action, at position: JSONPosition = .none) {
    self.action = action
    self.position = position
  }

  /// An action in a scenario. Kept by reference: most are small, scripts are long, and the largest take ten times the room.
  public indirect enum Action: Equatable, Sendable {
    /// Starts a process of the app or of its extension; `nil` for the one that the scenario's app is.
    case launch(isExtension: Bool?)
    /// Ends the app's process and closes the journal.
    case exit
    /// ``exit``, then a launch of the same app.
    case restart
    /// Restarts the device: ``exit``, uptime from zero in a new boot session, then a launch.
    case reboot
    /// Changes the version of the app, the engine or the operating system from the next launch on; `nil` leaves it
    /// unchanged.
    case update(app: String?, os: String?, sdk: String?)
    /// Crashes the process, immediately or at a later point.
    case crash(CrashPoint)
    /// Moves the script's clock.
    case clock(ClockChange)
    /// Sets the service's answers from here on, by account.
    case service([ServiceScript])
    /// Sets the number of files on the device, by account.
    case files([FileScript])
    /// Sets the outcome of remediations from here on, by account.
    case compliance([ComplianceScript])
    /// Sets the answers of the app's delegates from here on.
    case delegate(DelegateAnswers)
    /// Sends a command to the engine.
    case command(AppProtectionCommand)
    /// Performs an operation on a named file.
    case file(FileStep)
    /// Hands work from one thread to another.
    case work(WorkStep)
    /// Sets the enrollment ids that the token library caches, in the cache's order.
    case enrollmentIDs([EnrollmentIDCache.Entry])
    /// Checks that an expectation holds here.
    case expect(Expectation)
    /// Damages the finished journal.
    case damage(Damage)
  }
}

/// How the script moves its clock. Lengths are nanoseconds, and not negative except for offsets.
public enum ClockChange: Equatable, Sendable {
  /// Time passes: wall time and uptime move together.
  case wait(Int64)
  /// Time passes until the wall clock shows this time, which must not be in the past.
  case at(Int64)
  /// The wall clock is set back; uptime continues.
  case setBack(Int64)
  /// The wall clock is set ahead; uptime continues.
  case setAhead(Int64)
  /// The local time has another offset from UTC; `nil` for one that the app cannot find out. Wall clock and uptime
  /// continue.
  case offset(Int64?)
}

/// The point at which the app's process crashes.
public enum CrashPoint: Equatable, Sendable {
  /// Immediately, while nothing is being written.
  case now
  /// After an event of this type is decided and before any of it is written.
  case before(String)
  /// After this many bytes of the write that carries an event of this type have reached the file.
  case during(String, bytes: Int)
  /// After an event of this type is durable and before it is acknowledged.
  case after(String)

  /// The type of event that triggers the crash; `nil` for ``now``.
  public var eventType: String? {
    switch self {
    case .now: nil
    case .before(let type), .during(let type, _), .after(let type): type
    }
  }
}

/// An operation on a named file, whose owner an expectation can query.
public enum FileStep: Equatable, Sendable {
  /// Opens the file on a thread or inside a piece of work.
  case open(String, FileOwners.Access, on: Place)
  /// Gives the file to an account, or to no account if the name is empty; with `verifies`, refuses a file that another
  /// account owns.
  case protect(String, owner: String, verifies: Bool)
  /// Copies the file.
  case copy(String, to: String, on: Place)
  /// Moves the file.
  case move(String, to: String, on: Place)
  /// Removes the file.
  case remove(String)
  /// A file provider that works for an account, or for none if the name is empty, hands out a copy.
  case handOut(String, to: String, account: String)

  /// Where the app's code runs.
  public enum Place: Equatable, Sendable {
    /// The thread with this label.
    case thread(String)
    /// The piece of work with this label, on any thread.
    case work(String)
  }
}

/// How work moves to another thread; an expectation can query the identity under which it runs.
public enum WorkStep: Equatable, Sendable {
  /// A thread, or other work, creates the work with this label.
  case create(String, WorkKind, on: FileStep.Place)
  /// A thread, or other work, enqueues the work.
  case submit(String, on: FileStep.Place)
  /// The running work changes its identity to an account; an empty name means no account, and `nil` unset.
  case setIdentity(String, String?)
  /// The work ends, and so does its change of identity.
  case finish(String)
}
