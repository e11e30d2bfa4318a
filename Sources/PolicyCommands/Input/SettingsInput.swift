import CommandSupport
import PolicySettings
import PropertyList

/// Reads an app's settings from a file.
enum SettingsInput {
  /// Reads the settings in a file.
  static func document(_ path: String, _ context: CommandContext) throws(Failure) -> SettingsDocument {
    SettingsDocument(try propertyList(path, context), file: path)
  }

  /// Reads a property list.
  static func propertyList(_ path: String, _ context: CommandContext) throws(Failure) -> PropertyList {
    try propertyList(try FileInput.bytes(of: path, context), path)
  }

  /// Reads the property list in the bytes of a file.
  static func propertyList(_ bytes: [UInt8], _ path: String) throws(Failure) -> PropertyList {
    do throws(PropertyListError) {
      return try SettingsDocument.propertyList(bytes)
    } catch {
      throw Failure(.unreadable, "\(path): \(error)", next: "pj help settings")
    }
  }
}
