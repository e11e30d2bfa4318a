import EventSourcing

/// `settings.overridden`: the app overrides what its property list says to the token library, or no longer does.
public struct SettingsOverridden: EventPayload {
  /// All overrides after this event.
  public var overrides: TokenLibraryOverrides

  /// The event type's catalogue entry.
  public static var entry: EventEntry {
    EventEntry(
      .settingsOverridden, "settings.overridden",
      meaning: "The app overrides what its property list says to the token library, or no longer does.")
  }

  /// The value that decoding starts from.
  public static var blank: Self { Self(overrides: TokenLibraryOverrides()) }

  public func tell(in headline: Headline) {
    headline.addChanges(below: "/settings/overrides/")
    if headline.text.isEmpty { headline.add("what the token library uses") }
  }

  public static func visit<V: FieldVisitor>(_ event: inout Self, _ field: inout V) throws(V.Failure) {
    try field(1, "overrides", &event.overrides, required: true, "all overrides from here on")
  }
}
