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
    /// Starts the app's process.
    case launch
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
