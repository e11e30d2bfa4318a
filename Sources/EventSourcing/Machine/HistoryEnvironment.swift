/// What an event says about the surroundings of a history. Nothing in it identifies a person.
public struct HistoryEnvironment: Equatable, Sendable {
  /// The version of the app.
  public var app: String?
  /// The version of the engine that the app embeds.
  public var engine: String?
  /// The version of the operating system.
  public var system: String?
  /// The model of the device.
  public var model: String?
  /// A policy that the history received.
  public var policy: Policy?

  /// A policy, and which revision of it.
  public struct Policy: Hashable, Sendable {
    /// Its identifier in the service; empty if it has none.
    public var id: String
    /// Its revision; empty if it has none.
    public var revision: String

    /// Both may be empty.
    public init(id: String, revision: String) { (self.id, self.revision) = (id, revision) }
  }

  /// Whether it names a version or a model.
  package var namesVersions: Bool { app != nil || engine != nil || system != nil || model != nil }

  /// Everything may be omitted.
  public init(
    app: String? = nil, engine: String? = nil, system: String? = nil, model: String? = nil, policy: Policy? = nil
  ) {
    (self.app, self.engine, self.system, self.model, self.policy) = (app, engine, system, model, policy)
  }
}
