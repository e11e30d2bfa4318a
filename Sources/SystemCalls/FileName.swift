/// File names as text, whatever their bytes.
///
/// A name that is not UTF-8 becomes text in which U+10FF80 to U+10FFFF, which are otherwise unused, represent the bytes
/// 0x80 to 0xFF; the bytes of such characters in a name are represented in the same way. Every system call on a path
/// converts them back.
package enum FileName {
  private static let first: UInt32 = 0x10_FF00
  private static let stand: ClosedRange<UInt32> = 0x10_FF80...0x10_FFFF

  /// The text for a name.
  package static func text(_ bytes: some Collection<UInt8>) -> String {
    if let text = String(validating: bytes, as: UTF8.self), !mayStandForBytes(text) { return text }
    var text = String.UnicodeScalarView()
    var rest = Array(bytes)[...]
    while let byte = rest.first {
      // A character has one to four bytes.
      let character = (1...4).lazy.compactMap {
        String(validating: rest.prefix($0), as: UTF8.self)?.unicodeScalars.first
      }
      .first { !stand.contains($0.value) }
      if let character {
        text.append(character)
        rest = rest.dropFirst(UTF8.width(character))
      } else {
        if let stand = Unicode.Scalar(first + UInt32(byte)) { text.append(stand) }
        rest = rest.dropFirst()
      }
    }
    return String(text)
  }

  /// The bytes that a text represents.
  package static func bytes(_ text: String) -> [UInt8] {
    guard mayStandForBytes(text) else { return Array(text.utf8) }
    return text.unicodeScalars.flatMap { scalar in
      stand.contains(scalar.value) ? [UInt8(truncatingIfNeeded: scalar.value)] : Array(String(scalar).utf8)
    }
  }

  /// Whether a text may hold such characters: all of them begin with this byte, and no others in use do.
  package static func mayStandForBytes(_ text: String) -> Bool { text.utf8.contains(0xF4) }

  /// The folder that holds a path: `.` for a name alone.
  package static func folder(of path: String) -> String {
    guard let slash = path.lastIndex(of: "/") else { return "." }
    return slash == path.startIndex ? "/" : String(path[..<slash])
  }

  /// The last part of a path.
  package static func lastComponent(of path: String) -> String {
    path.lastIndex(of: "/").map { String(path[path.index(after: $0)...]) } ?? path
  }

  /// Calls a function with the bytes of a path, as the system uses them.
  package static func withPath<Result>(_ path: String, _ body: (UnsafePointer<CChar>) -> Result) -> Result {
    guard mayStandForBytes(path) else { return path.withCString(body) }
    return (bytes(path).map { CChar(bitPattern: $0) } + [0]).withUnsafeBufferPointer { buffer in
      buffer.baseAddress.map(body) ?? path.withCString(body)
    }
  }
}
