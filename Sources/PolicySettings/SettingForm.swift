import AppProtection
import EventSourcing
import PropertyList

/// The form that a text must have to be usable as a setting.
public enum SettingForm: Sendable, CaseIterable {
  /// Any nonempty text.
  case any
  /// A client id: hexadecimal digits as 8-4-4-4-12.
  case clientID
  /// The address of a directory: `https` and a host.
  case authority
  /// A URI (RFC 3986, section 3).
  case uri
  /// The scheme of a URI (RFC 3986, section 3.1).
  case scheme
  /// A scheme that leads back to the app.
  case redirectScheme
  /// A bundle identifier: ASCII letters, digits, hyphens and dots (Apple, `CFBundleIdentifier`).
  case bundleIdentifier
  /// An app group: begins with `group.` (Apple, "Configuring app groups").
  case appGroup
  /// A keychain group without the prefix added by the system.
  case keychainGroup
  /// A path that stays within the app's home.
  case path

  /// The accepted form, as a noun.
  public var phrase: String {
    switch self {
    case .any: "text"
    case .clientID: "GUID"
    case .authority: "https address"
    case .uri: "URI"
    case .scheme, .redirectScheme: "URL scheme"
    case .bundleIdentifier: "bundle identifier"
    case .appGroup: "app group"
    case .keychainGroup: "keychain group"
    case .path: "path"
    }
  }

  /// Why a text does not have this form.
  struct Problem: Equatable {
    /// A phrase that follows the text found, such as `is not a GUID`.
    var reason: String
    /// What to do about it.
    var remedy: String
  }

  /// The problem with a text; `nil` if there is none.
  ///
  /// A text that contains a build variable, such as `$(PRODUCT_BUNDLE_IDENTIFIER)`, gets its form only later and is
  /// accepted.
  func problem(with text: String) -> Problem? {
    if text.isEmpty { return Problem(reason: "is empty", remedy: "write a value, or remove the key") }
    if self == .keychainGroup, Self.hasPrefix(text) {
      return Problem(
        reason: "begins with a prefix, which the SDK adds by itself", remedy: "write the group without the prefix")
    }
    guard !text.hasBuildVariable else { return nil }
    if TemplateText.mustBeReplaced(text) {
      return Problem(reason: "was left in from a template", remedy: "write a value, or remove the key")
    }
    if leadsElsewhere(text) {
      return Problem(
        reason: "opens a web browser or an app of the system, and never this app",
        remedy: "write the app's own, such as msauth.com.contoso.app://auth, or for a scheme msauth.com.contoso.app")
    }
    guard !isGood(text) else { return nil }
    switch self {
    case .any, .keychainGroup: return nil
    case .clientID:
      return Problem(
        reason: "is not a GUID", remedy: "write the client id of the app's registration, 8-4-4-4-12 digits")
    case .authority:
      return Problem(
        reason: "is not an https address", remedy: "write one like https://login.microsoftonline.com/TENANT")
    case .uri: return Problem(reason: "is not a URI", remedy: "write one like msauth.com.contoso.app://auth")
    case .scheme, .redirectScheme:
      let part = String(text.prefix { $0 != ":" })
      return Problem(
        reason: "is not a URL scheme",
        remedy: part != text && problem(with: part) == nil
          ? "write only the part before the colon, such as myapp"
          : "write a letter, then letters, digits, +, - and ., such as myapp")
    case .bundleIdentifier:
      return Problem(reason: "is not a bundle identifier", remedy: "write one like com.contoso.app")
    case .appGroup:
      return Problem(
        reason: "is not an app group", remedy: "write it as in the entitlements, such as group.com.contoso.app")
    case .path: return Problem(reason: "leads out of the app's home", remedy: "write a path without ..")
    }
  }

  /// The schemes of links that the system opens itself, or gives to browsers.
  static let foreignSchemes: Set<String> = [
    "http", "https", "microsoft-edge-http", "microsoft-edge-https", "file", "about", "data", "javascript", "mailto",
    "tel",
    "telprompt", "sms", "facetime", "itms-apps", "itms-appss",
  ]

  /// Whether a redirect has a scheme that does not lead back to the app.
  private func leadsElsewhere(_ text: String) -> Bool {
    switch self {
    case .uri, .redirectScheme:
      // A twin of such a scheme is none of the app's own either.
      Self.foreignSchemes.contains(text.prefix { $0 != ":" }.lowercased().replacing("-intunemam", with: ""))
    case .any, .clientID, .authority, .scheme, .bundleIdentifier, .appGroup, .keychainGroup, .path: false
    }
  }

  private func isGood(_ text: String) -> Bool {
    switch self {
    case .any, .keychainGroup: true
    case .clientID: GUID(text) != nil
    case .authority:
      text.lowercased().hasPrefix("https://") && !Self.hasSpace(text)
        && !text.dropFirst(8).prefix { $0 != "/" }.isEmpty
    case .uri:
      text.firstIndex(of: ":").map { Self.isScheme(text[..<$0]) && text[$0...].count > 1 } ?? false
        && !Self.hasSpace(text)
    case .scheme, .redirectScheme: Self.isScheme(text[...])
    case .bundleIdentifier:
      text.utf8.allSatisfy { Self.isAlphanumeric($0) || $0 == UInt8(ascii: "-") || $0 == UInt8(ascii: ".") }
    case .appGroup: text.hasPrefix("group.") && text.utf8.count > 6 && !Self.hasSpace(text)
    case .path: !text.split(separator: "/").contains("..")
    }
  }

  /// Whether a keychain group begins with the variable for the prefix, or with a team's ten characters.
  private static func hasPrefix(_ text: String) -> Bool {
    if text.hasPrefix("$(AppIdentifierPrefix)") || text.hasPrefix("$(TeamIdentifierPrefix)") { return true }
    let first = text.prefix { $0 != "." }
    return first.utf8.count == 10 && text.utf8.count > 10
      && first.utf8.allSatisfy { (0x30...0x39).contains($0) || (0x41...0x5A).contains($0) }
  }

  /// Whether a text is the scheme of a URI (RFC 3986, section 3.1).
  static func isScheme(_ text: Substring) -> Bool {
    guard let first = text.utf8.first, isAlphanumeric(first), !(0x30...0x39).contains(first) else { return false }
    return text.utf8.allSatisfy { isAlphanumeric($0) || "+-.".utf8.contains($0) }
  }

  private static func isAlphanumeric(_ byte: UInt8) -> Bool {
    (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte)
  }

  private static func hasSpace(_ text: String) -> Bool { text.contains(where: \.isWhitespace) }
}
