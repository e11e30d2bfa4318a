/// Something that must hold for every input, and does not.
package struct PropertyFailure: Error, CustomStringConvertible {
  package let description: String

  init(_ description: String) {
    self.description = description
  }
}

/// Fails unless a condition holds.
func require(_ condition: Bool, _ what: @autoclosure () -> String) throws(PropertyFailure) {
  if !condition { throw PropertyFailure(what()) }
}
