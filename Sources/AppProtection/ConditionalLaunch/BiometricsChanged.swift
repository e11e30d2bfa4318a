import EventSourcing

/// `biometrics.changed`: the set of fingers or faces that the device knows is another one.
public struct BiometricsChanged: EventPayload {
  /// The entry of the catalogue.
  public static var entry: EventEntry {
    EventEntry(
      .biometricsChanged, "biometrics.changed",
      meaning: "The set of fingers or faces that the device knows is another one: the next time the PIN is asked.")
  }

  /// What reading begins with.
  public static var blank: Self { Self() }

  /// The fields.
  public static func visit<V: FieldVisitor>(_ event: inout Self, _ field: inout V) throws(V.Failure) {}
}
