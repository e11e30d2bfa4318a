import Fuzzing

/// A built app with an extension, as Xcode leaves it: property lists, executables with signatures, and frameworks.
struct SampleApp {
  /// The files by their paths in the app's folder.
  var files: [String: [UInt8]]

  private static let keychain = "com.microsoft.intune.mam"

  /// An app in which lint finds notes at most.
  init() throws {
    _ = Repository.root
    let framework = "<plist><dict><key>CFBundleShortVersionString</key><string>20.2.1</string></dict></plist>"
    let share = """
      <plist><dict><key>CFBundleIdentifier</key><string>com.contoso.notes.share</string>
      <key>CFBundleExecutable</key><string>Share</string><key>NSExtension</key><dict/>
      <key>IntuneMAMSettings</key><dict><key>ContainingAppBundleId</key><string>com.contoso.notes</string></dict></dict></plist>
      """
    files = [
      "Info.plist": try TestFiles.read("Tests/pj/PropertyLists/Good.plist"),
      "Notes": SignedExecutable.fat([
        SignedExecutable.thin(Self.entitlements("com.contoso.notes", Self.keychain, "com.microsoft.adalcache"))
      ]),
      "Frameworks/IntuneMAMSwift.framework/Info.plist": Array(framework.utf8),
      "Frameworks/IntuneMAMSwiftStub.framework/Info.plist": Array(framework.utf8),
      "PlugIns/Share.appex/Info.plist": Array(share.utf8),
      "PlugIns/Share.appex/Share": SignedExecutable.thin(Self.entitlements("com.contoso.notes.share", Self.keychain)),
      "en.lproj/Localizable.strings": Array("bplist".utf8),
    ]
  }

  /// Entitlements with these keychain groups.
  static func entitlements(_ groups: String...) -> String {
    let groups = groups.map { "<string>ABCDE12345.\($0)</string>" }.joined()
    return "<plist><dict>\n<key>keychain-access-groups</key><array>\(groups)</array></dict></plist>"
  }

  /// Writes the app into a folder with this name.
  func write(to folder: String) throws {
    for (path, bytes) in files {
      let whole = "\(folder)/\(path)"
      let parent = whole.split(separator: "/", omittingEmptySubsequences: false).dropLast().joined(separator: "/")
      guard TestFiles.shell("mkdir -p '\(parent)'") == 0 else { throw TestFiles.Failed("mkdir \(parent)") }
      try TestFiles.write(bytes, to: whole)
    }
  }
}
