/// Whether the writer, the scanner and the walker check their invariants after each step.
///
/// Debug builds do, and so do the campaigns in release builds, which turn the checks on before they begin. Elsewhere
/// each step costs one extra comparison. No input can break an invariant, however damaged it is: a broken one is a
/// mistake in this module, and ends the process with a sentence that names it.
package enum Invariants {
  /// Set, if at all, before the first journal is opened; never changed beside a reader of it, so that each look may do
  /// without the check for that.
  @exclusivity(unchecked) package nonisolated(unsafe) static var areChecked = isDebugBuild

  private static var isDebugBuild: Bool {
    var isDebug = false
    // Evaluated in debug builds only.
    assert(set(&isDebug))
    return isDebug
  }

  private static func set(_ isDebug: inout Bool) -> Bool {
    isDebug = true
    return true
  }
}

/// Ends the process unless an invariant holds. For ``Invariants`` that are checked.
@inline(__always)
func invariant(
  _ holds: Bool, _ sentence: @autoclosure () -> String, file: StaticString = #fileID, line: UInt = #line
) {
  #if !POLICYJOURNAL_PLANTED_BUG
    // The seeds must find the planted bug by its effect on a journal.
    if !holds { fatalError("an invariant is broken: \(sentence())", file: file, line: line) }
  #endif
}
