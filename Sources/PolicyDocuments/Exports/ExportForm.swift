import JSON

/// The language of a file in an export.
enum ExportForm: Equatable {
  /// A table of all values.
  case table
  /// YAML, as IntuneCD writes it.
  case yaml
  /// A configuration of Microsoft365DSC.
  case desiredState
  /// A compiled configuration (MOF).
  case compiledConfiguration
  /// A script that is no configuration.
  case script
  /// JSON, a property list, or a device's lines.
  case other

  /// Judges by the name's ending, and where it says nothing, as for standard input, by how the text begins.
  init(of bytes: [UInt8], name: String?) {
    let ending = name?.lowercased().split(separator: ".").last.map(String.init) ?? ""
    switch ending {
    case "csv": self = .table
    case "yaml", "yml": self = .yaml
    case "mof": self = .compiledConfiguration
    case "ps1", "psm1", "psd1":
      let isConfiguration = (try? ExportText(bytes)).map(DesiredStateReader.recognizes) ?? true
      self = isConfiguration ? .desiredState : .script
    case "json", "plist": self = .other
    case _: self = Self.beginning(of: bytes)
    }
  }

  private static func beginning(of bytes: [UInt8]) -> ExportForm {
    // JSON and property lists, in whatever encoding, are distinguished without decoding them.
    let marks: Set<UInt8> = [0xEF, 0xBB, 0xBF, 0xFE, 0xFF, 0, 0x20, 0x09, 0x0A, 0x0D]
    let first = bytes.first { !marks.contains($0) }
    let isData = [UInt8(ascii: "{"), UInt8(ascii: "["), UInt8(ascii: "<"), nil].contains(first)
    guard !isData || bytes.starts(with: Array("<#".utf8)), !bytes.starts(with: Array("bplist".utf8)),
      let text = try? ExportText(bytes)
    else { return .other }
    if text.lines.first.map(text.text) == DocumentTable.heading.joined(separator: ",") { return .table }
    for line in text.lines {
      let words = text.text(line)
      if words.hasPrefix("'@odata.type':") || words.hasPrefix("\"@odata.type\":") { return .yaml }
      if words.lowercased().hasPrefix("instance of ") { return .compiledConfiguration }
      if words.lowercased().hasPrefix("configuration ") { return .desiredState }
    }
    return .other
  }
}
