/// What is said of conditions on a state.
package enum ConditionText {
  /// Why it can be unknown whether one holds.
  package static let unknown =
    "values that are sealed, and personal ones with wildcards, are not compared: where the condition rests on one, it is unknown"
}
