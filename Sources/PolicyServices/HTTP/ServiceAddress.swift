/// The address of a management service: `https://HOST[:PORT][/PATH]`.
///
/// Plain `http` is accepted for the computer itself (`localhost`, `127.0.0.1`, `[::1]`), for a server under test.
public struct ServiceAddress: Equatable, Sendable, CustomStringConvertible {
  /// Why a text is not the address of a service.
  public struct Mistake: Error, Equatable, Sendable, CustomStringConvertible {
    /// The reason and the next step.
    public let description: String
  }

  /// `https` or `http`.
  public let scheme: String
  /// The host in lower case, and the port unless it is the scheme's own.
  public let authority: String
  /// The path without a slash at its end; empty for none.
  public let path: String

  private static let maximumLength = 2_048

  /// Reads an address.
  public init(_ text: String) throws(Mistake) {
    guard text.utf8.count <= Self.maximumLength, text.utf8.allSatisfy({ (0x21...0x7E).contains($0) }) else {
      throw Mistake(description: "the address has characters that no address has, or is too long; check it")
    }
    guard let colon = text.firstRange(of: "://") else {
      throw Mistake(description: "the address has no scheme; begin it with https://")
    }
    let scheme = text[..<colon.lowerBound].lowercased()
    let rest = text[colon.upperBound...]
    let end = rest.firstIndex(of: "/") ?? rest.endIndex
    let authority = rest[..<end].lowercased()
    guard !rest.contains(where: { "?#".contains($0) }), !authority.contains("@") else {
      throw Mistake(description: "the address of a service has no user, query or fragment; remove it")
    }
    var host = authority
    var port: String?
    if let mark = authority.lastIndex(of: ":"), !authority[mark...].contains("]") {
      host = String(authority[..<mark])
      port = String(authority[authority.index(after: mark)...])
    }
    guard !host.isEmpty, port.map({ UInt16($0) != nil }) ?? true else {
      throw Mistake(description: "the address has no host, or no port from 0 to 65535; check it")
    }
    switch scheme {
    case "https": break
    case "http" where ["localhost", "127.0.0.1", "[::1]"].contains(host): break
    default: throw Mistake(description: "a service is reached by https only; http is for the computer itself")
    }
    self.scheme = scheme
    self.authority = port == (scheme == "https" ? "443" : "80") ? host : authority
    var path = String(rest[end...])
    while path.hasSuffix("/") { path.removeLast() }
    if let dots = PathSegment.dotSegment(in: path) {
      throw Mistake(description: "the address's path has the segment \"\(dots)\"; write the path without it")
    }
    self.path = path
  }

  /// The address.
  public var description: String { "\(scheme)://\(authority)\(path)" }

  /// The address of a resource below this one.
  ///
  /// - Throws: The reason, if a segment is empty or would lead to another resource.
  func resource(
    _ segments: [String], query: [(name: String, value: String)] = []
  ) throws(Mistake) -> String {
    for segment in segments {
      guard !segment.isEmpty else {
        throw Mistake(description: "an empty path segment leads to another resource")
      }
      if let dots = PathSegment.dotSegment(in: segment) {
        throw Mistake(description: "the path segment \"\(dots)\" leads to another resource")
      }
    }
    let below = segments.map { "/" + Self.escaped($0) }.joined()
    let query = query.map { "\(Self.escaped($0.name, keeping: "$"))=\(Self.escaped($0.value))" }.joined(separator: "&")
    return description + below + (query.isEmpty ? "" : "?" + query)
  }

  /// Where an absolute address leads, unless it is on the same host, below the same path: a link elsewhere would receive
  /// the token.
  func detour(of address: String) -> String? {
    let elsewhere = "at another host or path"
    guard address.utf8.count <= Self.maximumLength, address.utf8.allSatisfy({ (0x21...0x7E).contains($0) }) else {
      return elsewhere
    }
    let target = address.prefix { !"?#".contains($0) }
    if let dots = PathSegment.dotSegment(in: target) { return "at a path with the segment \"\(dots)\"" }
    guard let other = try? ServiceAddress(String(target)), other.scheme == scheme, other.authority == authority,
      other.path == path || other.path.hasPrefix(path + "/"), !Self.leaves(other.path)
    else { return elsewhere }
    return nil
  }

  /// Whether a path may lead elsewhere for one of those who forward the request: it has separators and dots that are escaped,
  /// once or more often, and which some decode before they look for dot segments (RFC 3986, 6.2.2).
  private static func leaves(_ path: String) -> Bool {
    let path = path.lowercased()
    return ["\\", "%2e", "%2f", "%5c", "%25"].contains { path.contains($0) }
  }

  /// The text with everything but unreserved characters percent-encoded (RFC 3986, 2.3).
  private static func escaped(_ text: String, keeping kept: String = "") -> String {
    var bytes: [UInt8] = []
    for byte in text.utf8 {
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"),
        UInt8(ascii: "~"):
        bytes.append(byte)
      case _ where kept.utf8.contains(byte): bytes.append(byte)
      default:
        let digits = Array("0123456789ABCDEF".utf8)
        bytes += [UInt8(ascii: "%"), digits[Int(byte >> 4)], digits[Int(byte & 15)]]
      }
    }
    return String(decoding: bytes, as: UTF8.self)
  }
}
