import EventSourcing

/// Parts of HTML pages that load nothing.
enum HTMLText {
  /// Text in HTML.
  static func escaped(_ text: String) -> String {
    var result = ""
    for character in text.unicodeScalars {
      switch character {
      case "<": result += "&lt;"
      case ">": result += "&gt;"
      case "&": result += "&amp;"
      case "\"": result += "&quot;"
      case "'": result += "&#39;"
      default: result.unicodeScalars.append(character)
      }
    }
    return result
  }

  /// The head of a page with a style and a script. Its policy lets the browser use these alone, by their digests, and load
  /// nothing.
  static func head(title: String, style: String, script: String) -> String {
    """
    <!doctype html>
    <html lang="en">
    <head>
    <meta charset="utf-8">
    <meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src '\(digest(style))'; \
    script-src '\(digest(script))'; base-uri 'none'; form-action 'none'">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <meta name="color-scheme" content="light dark">
    <title>\(escaped(title))</title>
    <style>\(style)</style>
    </head>

    """
  }

  /// The source expression of an inline element in a Content-Security-Policy (CSP Level 3, 2.3.1).
  private static func digest(_ text: String) -> String {
    let digest = Array(text.utf8).withUnsafeBytes { Digest.sha256($0) }
    return "sha256-" + base64(digest.bytes)
  }

  /// RFC 4648, section 4.
  private static func base64(_ bytes: [UInt8]) -> String {
    let letters = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".unicodeScalars)
    var result = String.UnicodeScalarView()
    for start in stride(from: 0, to: bytes.count, by: 3) {
      let group = bytes[start..<min(start + 3, bytes.count)]
      var bits = group.reduce(0) { $0 << 8 | Int($1) } << (8 * (3 - group.count))
      bits &= 0xFF_FFFF
      for place in 0..<4 {
        result.append(place <= group.count ? letters[bits >> (18 - 6 * place) & 63] : "=")
      }
    }
    return String(result)
  }
}
