import AppProtection
import JSON

/// The steps of a scenario, in order. They stay in its text and are decoded one at a time, so that a million of them take no
/// more memory than the text.
public struct ScenarioSteps: Sendable {
  private let elements: JSONElements
  /// The decoder before the first step.
  private let decoder: ScenarioDecoder

  init(_ elements: JSONElements, _ decoder: ScenarioDecoder) {
    self.elements = elements
    self.decoder = decoder
  }

  /// The number of steps.
  public var count: Int { elements.count }

  /// Calls `body` with each step in turn.
  ///
  /// - Throws: What `body` throws. A mistake in a step was reported when the scenario was read.
  public func forEach(_ body: (ScenarioStep) throws(ScenarioError) -> Void) throws(ScenarioError) {
    // Each step builds on those before, as a changed setting does.
    var (cursor, decoder) = (elements.cursor(), decoder)
    while true {
      let step: ScenarioStep
      do throws(JSONError) {
        guard let node = try cursor.next() else { return }
        step = try decoder.step(node)
      } catch {
        throw ScenarioError(error, in: decoder.file)
      }
      try body(step)
    }
  }
}

extension ScenarioStep {
  /// The command of a step that is written alone, outside of a scenario. Accounts are named as the journal names them: `a1`.
  ///
  /// - Parameters:
  ///   - node: The step: `{"wipe": "a1"}`.
  ///   - accounts: The accounts that the journal knows.
  ///   - settings: The app's settings, on which a change of single settings builds.
  /// - Throws: `JSONError` with the place and the nearest name; also for a step that is no command, such as a launch.
  public static func command(
    _ node: JSONNode, accounts: [AccountNumber], settings: AppSettings, facts: DeviceFacts
  ) throws(JSONError) -> AppProtectionCommand {
    var decoder = ScenarioDecoder(file: "")
    decoder.accounts = accounts.map { ScenarioAccount(name: "\($0)", reference: AccountReference($0)) }
    (decoder.settings, decoder.facts) = (settings, facts)
    guard case .command(let command) = try decoder.step(node).action else {
      throw node.error(
        .invalidValue, "only a step that is a command to the engine can stand for an event",
        remedy: "write the event itself, as pj show -j prints it")
    }
    return command
  }
}

extension AppSettings {
  /// Sets the settings that an object names, as in a scenario: `{"multiIdentity": true}`.
  ///
  /// - Throws: `JSONError` with the nearest name.
  public mutating func read(from node: JSONNode) throws(JSONError) {
    try node.expectMembers(ScenarioDecoder.settingNames)
    try ScenarioDecoder(file: "").read(settings: &self, from: node)
  }
}
