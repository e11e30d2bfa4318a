import Journal

extension JournalID {
  /// An identity that no other journal has: sixteen bytes from the system's random number generator.
  ///
  /// Nothing else in the library draws a random number.
  public static func random() -> JournalID {
    var generator = SystemRandomNumberGenerator()
    let bytes = (0..<16).map { _ in UInt8.random(in: .min ... .max, using: &generator) }
    return JournalID(bytes: bytes) ?? .none
  }
}
