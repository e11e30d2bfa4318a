/// How often a text has the characters without which it is not sensitive. Hardly any text has them.
package struct TextSigns {
  private let ats: Int
  private let equals: Int
  private let percents: Int
  private let slashes: Int
  private let hyphens: Int

  /// Reads the text once, and allocates nothing.
  package init(of text: String) {
    var text = text
    (ats, equals, percents, slashes, hyphens) = text.withUTF8 { bytes in
      var (ats, equals, percents, slashes, hyphens) = (0, 0, 0, 0, 0)
      // Without branches, so that the processor takes many bytes at a time.
      for byte in bytes {
        ats &+= byte == UInt8(ascii: "@") ? 1 : 0
        equals &+= byte == UInt8(ascii: "=") ? 1 : 0
        percents &+= byte == UInt8(ascii: "%") ? 1 : 0
        slashes &+= byte == UInt8(ascii: "/") ? 1 : 0
        hyphens &+= byte == UInt8(ascii: "-") ? 1 : 0
      }
      return (ats, equals, percents, slashes, hyphens)
    }
  }

  /// Whether the text can have an address or a link with a host in it, plain or encoded.
  package var allowPersons: Bool { ats > 0 || percents > 0 || slashes > 1 }

  /// Whether the text can have a parameter in it, something encoded, or a password before a host.
  package var allowSecrets: Bool { equals > 0 || percents > 0 || (ats > 0 && slashes > 1) }

  /// Whether a name of a path can be sensitive, which a path with these signs has in it: the slashes of a link are encoded there,
  /// and a GUID needs hyphens.
  package var allowSensitiveNames: Bool { ats > 0 || equals > 0 || percents > 0 || hyphens > 3 }
}
