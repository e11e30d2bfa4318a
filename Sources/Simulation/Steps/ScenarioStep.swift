import AppProtection
import JSON

/// One step of a scenario, with its place in the file for messages.
public struct ScenarioStep: Equatable, Sendable {
  /// What happens.
  public var action: Action
  /// Where it stands in the file.
  public var position: JSONPosition

  /// Creates a step.
  public init(_ action: Action, at position: JSONPosition = .none) {
    self.action = action
    self.position = position
  }

  /// What can happen in a scenario.
  public enum Action: Equatable, Sendable {
    /// The app's process starts.
    case launch
    /// The app's process ends, and the journal is closed.
    case exit
    /// ``exit``, then a launch of the same app.
    case restart
    /// The device restarts: ``exit``, uptime from zero in another boot session, then a launch.
    case reboot
    /// The app, the engine or the operating system is another version from the next launch on; `nil` leaves it.
    case update(app: String?, os: String?, sdk: String?)
    /// The process dies, at once or at a point that is still to come.
    case crash(CrashPoint)
    /// The script's clock moves.
    case clock(ClockChange)
    /// What the service answers from here on, by account.
    case service([ServiceScript])
    /// How many files of an account there are on the device.
    case files([FileScript])
    /// How remediations end from here on, by account.
    case compliance([ComplianceScript])
    /// What the app's delegates answer from here on.
    case delegate(DelegateAnswers)
    /// Somebody asks the engine for something.
    case command(AppProtectionCommand)
    /// Something happens to a named file.
    case file(FileStep)
    /// Work is handed from one thread to another.
    case work(WorkStep)
    /// The app overrides what the SDK asks the token library with; what was overridden before no longer is.
    case overrides(TokenLibraryOverrides)
    /// The enrollment ids that the token library keeps from here on, in the order of its cache.
    case enrollmentIDs([EnrollmentIDCache.Entry])
    /// What must be true here.
    case expect(Expectation)
    /// Harm done to the finished journal.
    case damage(Damage)
  }
}
