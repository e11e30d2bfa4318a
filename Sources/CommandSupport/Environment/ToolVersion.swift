import AppProtection

/// The version of the tool.
package enum ToolVersion {
  /// Major, minor and patch: changes of the commands and their output, not of the journal's format.
  package static let text = Version.package
}
