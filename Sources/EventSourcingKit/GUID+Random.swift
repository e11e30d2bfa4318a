import EventSourcing

extension GUID {
  /// A value that nothing else has: sixteen bytes from the system's random number generator.
  public static func random() -> GUID { GUID(bytes: SystemRandom.bytes(16)) ?? .zero }
}
