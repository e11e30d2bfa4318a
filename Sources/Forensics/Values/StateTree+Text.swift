import EventSourcing
import JSON
import Journal

extension StateTree {
  /// The tree as `pj state` prints it, a line for each value that is set, without a line break at the end.
  ///
  /// - Parameter redaction: Which values are shown. The default withholds personal data.
  public func text(_ redaction: Redaction = .on) -> String {
    TreeText(redaction).indented(self).map(\.text).joined(separator: "\n")
  }

  /// The tree as nested objects in a line of JSON, as `pj state -j` writes it.
  public func json(_ redaction: Redaction = .on) -> String { ValueJSON(redaction).json(self).text(style: .compact) }
}

extension StateChange {
  /// The change in a line: `/cents  5000 → 4950`.
  ///
  /// - Parameter redaction: Which values are shown. The default withholds personal data.
  public func text(_ redaction: Redaction = .on) -> String {
    let values = ValueText(redaction)
    return "\(redaction.shown(statePath: path))  \(values.text(before)) → \(values.text(after))"
  }

  /// The change as a line of JSON: `{"path":"/cents","before":5000,"after":4950}`.
  public func json(_ redaction: Redaction = .on) -> String {
    var bytes: [UInt8] = []
    ValueJSON(redaction).append(self, to: &bytes)
    return String(decoding: bytes, as: UTF8.self)
  }
}

extension StateDiff {
  /// The changes, a line for each.
  ///
  /// - Parameter redaction: Which values are shown. The default withholds personal data.
  public func text(_ redaction: Redaction = .on) -> String {
    changes.map { $0.text(redaction) }.joined(separator: "\n")
  }

  /// The changes as an array in a line of JSON.
  public func json(_ redaction: Redaction = .on) -> String {
    "[" + changes.map { $0.json(redaction) }.joined(separator: ",") + "]"
  }
}

extension Finding {
  /// The finding as a line of JSON, with its verdict, file, bytes and events, as `pj verify -j` writes it. Its text is
  /// ``/Journal/Finding/description``.
  public var json: String { JSONValue.object(FindingJSON.members(of: self)).text(style: .compact) }
}
