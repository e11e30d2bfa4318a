import EventSourcing

/// What an app makes the SDK pass to the token library in place of its property list, until an account is unenrolled
/// (`IntuneMAMSettings`).
///
/// A property without a value leaves the property list's in force.
public struct TokenLibraryOverrides: FieldList {
  /// The longest value, in bytes of UTF-8.
  public static let maximumLength = 2_048

  /// The directory that issues tokens (`aadAuthorityUriOverride`).
  public var authority: String?
  /// The app's client id in the directory (`aadClientIdOverride`).
  public var clientID: String?
  /// The address to which a sign-in returns (`aadRedirectUriOverride`).
  public var redirectURI: String?

  /// Overrides nothing unless given.
  public init(authority: String? = nil, clientID: String? = nil, redirectURI: String? = nil) {
    self.authority = authority
    self.clientID = clientID
    self.redirectURI = redirectURI
  }

  /// The value that decoding starts from.
  public static var blank: Self { Self() }

  public static func visit<V: FieldVisitor>(_ overrides: inout Self, _ field: inout V) throws(V.Failure) {
    try field(1, "authority", &overrides.authority, "the directory that issues tokens")
    try field(2, "clientID", &overrides.clientID, "the app's client id in the directory")
    try field(3, "redirectURI", &overrides.redirectURI, "the address to which a sign-in returns")
  }
}

extension TokenLibraryOverrides {
  /// A property by the SDK's name.
  public enum Name: String, CaseIterable, Sendable {
    /// ``TokenLibraryOverrides/authority``.
    case authority = "aadAuthorityUriOverride"
    /// ``TokenLibraryOverrides/clientID``.
    case clientID = "aadClientIdOverride"
    /// ``TokenLibraryOverrides/redirectURI``.
    case redirectURI = "aadRedirectUriOverride"
  }

  /// The value of a property.
  public subscript(_ name: Name) -> String? {
    get {
      switch name {
      case .authority: authority
      case .clientID: clientID
      case .redirectURI: redirectURI
      }
    }
    set {
      switch name {
      case .authority: authority = newValue
      case .clientID: clientID = newValue
      case .redirectURI: redirectURI = newValue
      }
    }
  }

  /// The first property with a value that cannot be used: an empty or long one, or one with a space or a control character.
  public var firstInvalid: Name? {
    Name.allCases.first { name in
      guard let value = self[name]?.utf8 else { return false }
      return value.isEmpty || value.count > Self.maximumLength || value.contains { $0 <= 0x20 || $0 == 0x7F }
    }
  }
}
