import EventSourcing
import PlainText

/// Parts of HTML pages that load nothing.
package enum HTMLText {
  /// Text in HTML.
  package static func escaped(_ text: String) -> String {
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
  package static func head(title: String, style: String, script: String) -> String {
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
    return "sha256-" + Base64.text(digest.bytes)
  }
}
