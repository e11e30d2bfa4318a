/// Rules of exported files. Reading a file finds what they name, so they check no policy.
extension PolicyRule {
  /// The rules of this file, in the order in which findings are listed.
  static let exports: [PolicyRule] = [lostData]

  /// The exporting program lost a value.
  public static let lostData = PolicyRule(
    "lostData", .error, "An export has every value, and no name of a type in its place.", "D ConvertTo-Json, Depth")
}

extension ExportedValue.Loss {
  /// The loss as lint reports it.
  func finding(in file: String?) -> PolicyFinding {
    var finding = PolicyFinding(
      .lostData, member, at: place, "the exporting program did not write the value, which is unknown",
      remedy: "export the document again, with a greater depth")
    finding.file = file
    return finding
  }
}
