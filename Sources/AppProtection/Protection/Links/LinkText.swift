/// A URL as far as rules compare it: scheme, host and path, as bytes of a text that the caller holds.
///
/// The comparison uses the address that a browser would open: a user name before the host is not part of the host, a
/// backslash counts as a slash, and the port counts unless it is the scheme's default. Query and fragment are ignored.
struct LinkText {
  let bytes: UnsafeBufferPointer<UInt8>
  let scheme: Range<Int>
  /// The host with its port, without user name; empty if absent.
  let host: Range<Int>
  /// From the slash after the host to the query; empty if absent.
  let path: Range<Int>

  /// Finds the parts; `nil` unless the text begins with a scheme.
  init?(_ bytes: UnsafeBufferPointer<UInt8>) {
    guard let colon = bytes.firstIndex(of: UInt8(ascii: ":")), let first = bytes.first, first.isLetter,
      bytes[..<colon].allSatisfy(\.isScheme)
    else { return nil }
    self.init(bytes, scheme: 0..<colon, from: colon + 1)
  }

  /// The parts of a pattern, in which the scheme may be missing.
  init(pattern bytes: UnsafeBufferPointer<UInt8>) {
    if let colon = bytes.firstIndex(of: UInt8(ascii: ":")), Self.hasSlashes(bytes, at: colon + 1) {
      self.init(bytes, scheme: 0..<colon, from: colon + 1)
    } else {
      self.init(bytes, scheme: 0..<0, from: 0)
    }
  }

  private init(_ bytes: UnsafeBufferPointer<UInt8>, scheme: Range<Int>, from start: Int) {
    self.bytes = bytes
    self.scheme = scheme
    let end = bytes[start...].firstIndex { $0 == UInt8(ascii: "?") || $0 == UInt8(ascii: "#") } ?? bytes.endIndex
    let hasHost = scheme.isEmpty || Self.hasSlashes(bytes, at: start)
    let begin = hasHost && !scheme.isEmpty ? start + 2 : start
    guard hasHost else {
      host = start..<start
      path = start..<end
      return
    }
    let slash = bytes[begin..<end].firstIndex { $0.isSlash } ?? end
    var from = begin
    if let at = bytes[begin..<slash].lastIndex(of: UInt8(ascii: "@")) { from = at + 1 }
    var to = slash
    let port: StaticString = Self.equal(bytes[scheme], "https") ? ":443" : ":80"
    let hostEnd = to - port.utf8CodeUnitCount
    if hostEnd > from && Self.isWeb(bytes[scheme]) && Self.equal(bytes[hostEnd..<to], port) { to = hostEnd }
    host = from..<to
    path = slash..<end
  }

  private static func hasSlashes(_ bytes: UnsafeBufferPointer<UInt8>, at place: Int) -> Bool {
    place + 1 < bytes.count && bytes[place].isSlash && bytes[place + 1].isSlash
  }

  /// Whether the scheme is this one, in any case.
  func isScheme(_ text: StaticString) -> Bool {
    Self.equal(bytes[scheme], text)
  }

  /// Whether the scheme ends with this text, in any case.
  func schemeEnds(with text: StaticString) -> Bool {
    let count = text.utf8CodeUnitCount
    return scheme.count > count && Self.equal(bytes[(scheme.upperBound - count)..<scheme.upperBound], text)
  }

  /// Whether the link is a web page.
  var isWeb: Bool { Self.isWeb(bytes[scheme]) }

  private static func isWeb(_ scheme: Slice<UnsafeBufferPointer<UInt8>>) -> Bool {
    equal(scheme, "http") || equal(scheme, "https")
  }
}
