import PolicySettings
import PropertyList
import Testing

/// Property lists for tests.
enum SettingSamples {
  /// The schemes that the guide demands, as XML.
  static let querySchemes = """
    <key>LSApplicationQueriesSchemes</key><array><string>http-intunemam</string><string>https-intunemam</string>\
    <string>microsoft-edge-http-intunemam</string><string>microsoft-edge-https-intunemam</string>\
    <string>smart-ns</string><string>zips</string><string>lacoonsecurity</string><string>wandera</string>\
    <string>lookoutwork-ase</string><string>skycure</string><string>betteractiveshield</string>\
    <string>smsec</string><string>mvisionmobile</string><string>scmx</string><string>intunemam-mtd</string>\
    <string>msauthv2</string><string>msauthv3</string>
    """
  /// What an app has beside its settings.
  static let around =
    querySchemes + "</array><key>NSFaceIDUsageDescription</key><string>To open the app</string>"
    + "<key>CFBundleIdentifier</key><string>com.contoso.app</string>" + urlTypes
  /// The links that open the app.
  static let urlTypes =
    "<key>CFBundleURLTypes</key><array><dict><key>CFBundleURLSchemes</key><array>"
    + "<string>MSAuth.$(PRODUCT_BUNDLE_IDENTIFIER)</string></array></dict></array>"
  /// The settings that every app needs.
  static let needed = """
    <key>ADALClientId</key><string>0c5a1d1e-1111-2222-3333-444455556666</string>\
    <key>ADALRedirectUri</key><string>msauth.com.contoso.app://auth</string>
    """
  /// What an extension has beside its settings.
  static let aroundExtension =
    "<key>NSExtension</key><dict/><key>CFBundleIdentifier</key><string>com.contoso.app.share</string>"

  /// The settings of the extension that opens files in the app.
  static let openIn =
    entry("ContainingAppBundleId", "<string>com.contoso.app</string>") + entry("OpenInActionExtension", "<true/>")
    + entry("AppGroupIdentifiers", "<array><string>group.contoso</string></array>")

  /// A manifest with one scene.
  static func scenes(_ scene: String) -> String {
    "<key>UIApplicationSceneManifest</key><dict><key>UISceneConfigurations</key><dict>"
      + "<key>UIWindowSceneSessionRoleApplication</key><array><dict>\(scene)</dict></array></dict></dict>"
  }

  /// What an extension that takes data has beside its settings.
  static func sharing(rule: String) -> String {
    "<key>NSExtension</key><dict><key>NSExtensionAttributes</key><dict><key>NSExtensionActivationRule</key>\(rule)"
      + "</dict></dict><key>CFBundleIdentifier</key><string>com.contoso.app.share</string>"
  }

  /// The settings in an `Info.plist` whose first line is that of `settings`.
  static func document(
    _ settings: String, around: String = around, file: String = "Info.plist"
  ) throws -> SettingsDocument {
    let text = "<plist><dict><key>IntuneMAMSettings</key><dict>\(settings)</dict>\n\(around)</dict></plist>"
    return try SettingsDocument.read(Array(text.utf8), file: file)
  }

  /// A setting as XML.
  static func entry(_ key: String, _ value: String) -> String { "<key>\(key)</key>\(value)" }
}
