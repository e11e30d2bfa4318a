import Journal

extension JournalID {
  /// An identity that no other journal has: sixteen bytes from the system's random number generator.
  public static func random() -> JournalID { JournalID(bytes: SystemRandom.bytes(16)) ?? .none }
}
