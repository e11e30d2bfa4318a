import JSON

extension PolicyDocumentError {
  /// A compiled configuration.
  static let compiledConfiguration = PolicyDocumentError(
    .compiledConfiguration, at: .none, path: JSONPath(),
    message: "this is a compiled configuration (MOF), which is not read",
    remedy: "give the configuration from which it was compiled, a file with the ending .ps1")

  /// A script that is no configuration.
  static let script = {
    var error = PolicyDocumentError(
      .foreignType, at: .none, path: JSONPath(), message: "this is a PowerShell script without a block Configuration",
      remedy: "give a configuration that Microsoft365DSC exported")
    error.foreignKind = .type("PowerShell script")
    error.foreignType = "PowerShell script"
    return error
  }()

  /// Whether the document is broken, or nothing known: neither read nor of another type.
  public var isBroken: Bool { foreignKind == nil }
}
