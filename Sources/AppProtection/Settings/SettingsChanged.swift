import EventSourcing
import WireFormat

/// `settings.changed`: the settings of the app are others than those that were last known.
public struct SettingsChanged: EventPayload {
  /// All settings from here on.
  public var settings: AppSettings

  /// Creates the event.
  public init(settings: AppSettings) {
    self.settings = settings
  }

  /// The entry of the catalogue.
  public static let descriptor = EventDescriptor(
    10, "settings.changed",
    body: MessageDescriptor(
      "SettingsChanged",
      [
        FieldDescriptor(1, "settings", .message(AppSettings.descriptor), .single, "all settings from here on")
      ]),
    meaning: "The settings of the app are others than those that were last known.")

  /// Writes the body, fields in the order of their numbers.
  public func encode(into writer: inout WireWriter) {
    writer.write(1) { settings.encode(into: &$0) }
  }

  /// Reads the body; fields that nobody knows are skipped.
  public init(from reader: inout WireReader) throws(WireError) {
    var settings: AppSettings?
    while let field = try reader.nextField() {
      switch field.number {
      case 1:
        settings = try reader.message(field) { (inner) throws(WireError) in
          try AppSettings(from: &inner)
        }
      default: try reader.skip(field)
      }
    }
    self.init(
      settings: try reader.require(settings, field: 1))
  }
}
