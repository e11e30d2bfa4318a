import JSON
import PlainText

/// Text as JSON that may stand in a `script` element of HTML.
enum ScriptText {
  /// Appends text in quotation marks. Nothing ends the element or begins a comment in it, because every `<` is escaped; line
  /// separators are escaped as in all JSON of this package.
  static func append(_ text: String, to bytes: inout [UInt8]) {
    let start = bytes.count
    JSONEscaping.append(text, to: &bytes)
    guard bytes[start...].contains(UInt8(ascii: "<")) else { return }
    let quoted = bytes[start...]
    bytes.removeSubrange(start...)
    for byte in quoted {
      if byte == UInt8(ascii: "<") { bytes.append(literal: "\\u003c") } else { bytes.append(byte) }
    }
  }
}
