import PolicySettings

/// What must hold for the bytes of any executable, and of any project.
enum SignatureProperties {
  /// A file that a project names lies in its folder, whatever it was made of.
  static func checkProject(_ bytes: [UInt8]) throws(PropertyFailure) {
    let apps: [XcodeProject.App]
    do throws(XcodeProjectError) {
      apps = try XcodeProject(bytes).apps
    } catch {
      return try require(!error.description.isEmpty, "a refused project has no reason")
    }
    for target in apps.flatMap({ [$0.target] + $0.extensions }) {
      for setting in ["INFOPLIST_FILE", "CODE_SIGN_ENTITLEMENTS"] {
        guard case .path(let path) = target.file(setting) else { continue }
        try require(
          !path.hasPrefix("/") && !path.split(separator: "/").contains("..") && !path.contains("$("),
          "a file of a project is not in its folder")
      }
      _ = target.document(nil, file: "Info.plist")
      _ = target.findings(file: "project.pbxproj")
    }
  }

  /// The entitlements are part of the file, or a refusal names a place in it.
  static func check(_ bytes: [UInt8]) throws(PropertyFailure) {
    let found: [UInt8]?
    do throws(CodeSignatureError) {
      found = try CodeSignature.entitlements(in: bytes)
    } catch {
      return try require((0...bytes.count).contains(error.offset), "an executable is refused at a place beyond its end")
    }
    guard let found, !found.isEmpty else { return }
    try require(
      bytes.indices.contains { bytes[$0...].starts(with: found) }, "entitlements are not in the executable")
  }

  static let seeds: [[UInt8]] = {
    let entitlements = "<plist><dict><key>keychain-access-groups</key><array/></dict></plist>"
    let thin = SignedExecutable.thin(entitlements)
    return [
      thin, SignedExecutable.thin(entitlements, isLong: false), SignedExecutable.thin(nil),
      SignedExecutable.fat([SignedExecutable.thin(nil), thin]), SignedExecutable.fat([thin, thin], isLong: true),
    ]
  }()
}
