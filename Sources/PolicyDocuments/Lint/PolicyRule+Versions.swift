import AppProtection
import JSON

/// Rules of the versions of the operating system, the app and the SDK.
extension PolicyRule {
  /// The rules of this file, in the order in which findings are listed.
  static let versions: [PolicyRule] = [
    invalidVersion, warningNeverShows, blockNeverShows, minimumAboveMaximum, maximumStopsUpdates,
  ]

  /// A version is malformed.
  public static let invalidVersion = PolicyRule(
    "invalidVersion", .error, "A version is numbers separated by points.", settings
  ) { subject, notes in
    guard case .version(let name, let text) = subject, !PolicyVersionNumber.isUnset(text),
      PolicyVersionNumber(text) == nil, !PolicyLint.isPlaceholder(text, in: name)
    else { return }
    notes.add(
      name, "\(JSONExcerpt.quoted(text)) is not a version",
      remedy: "write numbers separated by periods, such as 16.4.1")
  }

  /// A warning is never shown.
  public static let warningNeverShows = PolicyRule(
    "warningNeverShows", .warning, "A warning shows before access is blocked, not after.",
    "D app protection FAQ; DERIVED", contradicts: true
  ) { subject, notes in
    guard case .bounds(let bounds) = subject, let warning = bounds.warning, let strong = bounds.block ?? bounds.wipe,
      bounds.hides(strong, warning)
    else { return }
    notes.add(
      warning.name, "the warning at \(warning.text) never shows, because \(strong.name) is \(strong.text)",
      remedy: "set it \(bounds.side) \(strong.text), or remove it")
  }

  /// A block never takes effect.
  public static let blockNeverShows = PolicyRule(
    "blockNeverShows", .warning, "Access is blocked before data is removed, not after.",
    "D app protection FAQ; DERIVED", contradicts: true
  ) { subject, notes in
    guard case .bounds(let bounds) = subject, let block = bounds.block, let wipe = bounds.wipe,
      bounds.hides(wipe, block)
    else { return }
    notes.add(
      block.name, "access is never blocked at \(block.text), because \(wipe.name) removes data at \(wipe.text)",
      remedy: "set it \(bounds.side) \(wipe.text), or remove one of the two")
  }

  /// A minimum version exceeds a maximum.
  public static let minimumAboveMaximum = PolicyRule(
    "minimumAboveMaximum", .error, "No minimum version is above a maximum version.", "DERIVED", contradicts: true
  ) { subject, notes in
    guard case .maximum(let maximum, let minimums) = subject,
      let minimum = minimums.first(where: { $0.number > maximum.number }),
      let highest = minimums.max(by: { $0.number < $1.number })
    else { return }
    notes.add(
      minimum.name, "it is \(minimum.text), and \(maximum.name) is \(maximum.text), so that every device is refused",
      remedy: "set \(maximum.name) above \(highest.number == minimum.number ? "it" : highest.name)")
  }

  /// A maximum version excludes updates.
  public static let maximumStopsUpdates = PolicyRule(
    "maximumStopsUpdates", .warning, "A maximum version leaves room for the updates of that version.", "DERIVED"
  ) { subject, notes in
    // 15.0 equals 15: every update of it is a higher version. Updates of Android and Windows change other numbers.
    guard notes.platform == .ios, case .maximum(let maximum, _) = subject, maximum.number.numbers.count == 1,
      let major = maximum.number.numbers.first
    else { return }
    notes.add(
      maximum.name, "it is \(maximum.text), so that \(major).0.1 and everything after it is refused",
      trying: [
        .setting(
          "write a version that no update reaches, such as \(major).99", maximum.name, to: .text("\(major).99")),
        .setting("remove it", maximum.name, to: nil),
      ])
  }
}
