import AppProtection
import JSON

/// Rules of settings with a form of their own on Windows.
extension PolicyRule {
  /// The rules of this file, in the order in which findings are listed.
  static let windows: [PolicyRule] = [winverVersion]

  /// A version is written as `winver` shows it.
  public static let winverVersion = PolicyRule(
    "winverVersion", .warning, "A version of Windows begins with 10.0, and not with its build.",
    "D Windows app protection policy settings"
  ) { subject, notes in
    guard notes.platform == .windows, case .version(let name, let text) = subject, name.hasSuffix("OsVersion"),
      let version = PolicyVersionNumber(text), version.numbers[0] > 11
    else { return }
    notes.add(
      name, "\(JSONExcerpt.quoted(text)) is the build alone, so that no device has this version",
      trying: [
        .setting("write 10.0.\(JSONExcerpt.plain(text))", name, to: .text("10.0.\(text)"))
      ], otherwise: "write the version as winver shows it, which begins with 10.0")
  }
}
