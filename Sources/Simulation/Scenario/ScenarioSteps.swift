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
