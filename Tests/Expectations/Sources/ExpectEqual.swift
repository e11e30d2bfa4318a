import Testing

/// Expects two values to be equal, and names both where they are not.
///
/// The same as `#expect(found == expected)`, which the compiler takes more than twice as long for: the tests compare some
/// six thousand times.
package func expectEqual<Value: Equatable>(
  _ found: Value, _ expected: Value, _ comment: @autoclosure () -> Comment? = nil,
  sourceLocation: SourceLocation = #_sourceLocation
) {
  #expect(found == expected, comment(), sourceLocation: sourceLocation)
}
