import EventSourcing

/// `settings.changed`: the settings of the app changed.
public struct SettingsChanged: EventPayload {
  /// All settings after this event.
  public var settings: AppSettings

  /// The event type's catalogue entry.
  public static var entry: EventEntry {
    EventEntry(
      .settingsChanged, "settings.changed",
      meaning: "The settings of the app are others than those that were last known.")
  }

  /// The value that decoding starts from.
  public static var blank: Self { Self(settings: .blank) }

  public func tell(in headline: Headline) {
    headline.addChanges(below: "/settings/")
    if headline.text.isEmpty { headline.add("the app's settings") }
  }

  public static func visit<V: FieldVisitor>(_ event: inout Self, _ field: inout V) throws(V.Failure) {
    try field(1, "settings", &event.settings, required: true, "all settings from here on")
  }
}
