import Journal

/// What a file is that a journal was packed in.
enum PackedKind: String, CaseIterable {
  case export, archive

  /// How findings name it.
  var name: String { "the \(rawValue)" }

  /// The command that makes a journal of what is left of it.
  var recovery: String {
    switch self {
    case .export: "import"
    case .archive: "salvage"
    }
  }

  /// The kind of the file that a finding is about; `nil` for a finding about a journal's own bytes.
  init?(of finding: Finding) {
    guard finding.verdict == .tailLost, let kind = Self.allCases.first(where: { $0.name == finding.file }) else {
      return nil
    }
    self = kind
  }
}
