import PlainText
import WireFormat

/// Protected data as a text: Base64 (RFC 4648, section 4).
package enum ProtectedText {
  package static func encoded(_ data: [UInt8]) -> String { Base64.text(data) }

  /// The data of a text; `nil` for any text that does not begin as protected data does, or is not Base64.
  package static func decoded(_ text: String) -> [UInt8]? {
    var bytes: [UInt8] = []
    guard text.hasPrefix(DataLayout.textStart), Base64.decode(text, into: &bytes) else { return nil }
    return bytes
  }
}
