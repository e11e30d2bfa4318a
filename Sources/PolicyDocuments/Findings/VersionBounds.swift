import AppProtection

/// The required versions of one component: for a warning, a block and a wipe.
struct VersionBounds {
  /// A required version.
  struct Bound {
    let name: String
    let text: String
    let number: PolicyVersionNumber

    /// `nil` for a setting without a version.
    init?(_ name: String, _ text: String?) {
      guard let text, !PolicyVersionNumber.isUnset(text), let number = PolicyVersionNumber(text) else { return nil }
      self.name = name
      self.text = text
      self.number = number
    }
  }

  let warning: Bound?
  let block: Bound?
  let wipe: Bound?
  /// Whether the versions must be reached, and not stayed below.
  let isMinimum: Bool

  /// Where a version stands that the other does not hide.
  var side: String { isMinimum ? "above" : "below" }

  /// Whether a version that is refused hides a weaker action for the same version.
  func hides(_ strong: Bound, _ weak: Bound) -> Bool {
    isMinimum ? strong.number >= weak.number : strong.number <= weak.number
  }
}
