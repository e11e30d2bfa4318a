import AppProtection
import CommandSupport
import Forensics
import JSON
import PolicyDocuments

extension DocumentPlace {
  /// A place, if any, as members of a record.
  package static let members: [JSONMember<DocumentPlace?>] = [
    .ifAny("line") { if case .text(let line, _)? = $0 { line } else { nil } },
    .ifAny("column") { if case .text(_, let column)? = $0 { column } else { nil } },
    .ifAny("byte") { if case .byte(let offset)? = $0 { offset } else { nil } },
  ]
}

/// How a policy is encoded: as Graph has it, or as a device has it.
enum PolicyEncoding: String, JSONWord {
  case graph, device
}

extension PolicyFile.Item {
  /// How the policy is encoded.
  var encoding: PolicyEncoding { isFromDevice ? .device : .graph }
}

/// A value of a document: what may be shown, or that it is withheld and what of it names no person.
extension PortalValue: JSONRepresentable {
  @usableFromInline
  package static var jsonShape: JSONShape { .value }

  @usableFromInline
  package func appendJSON(to bytes: inout [UInt8], _ redaction: Redaction) {
    if !isPrivate || redaction.shows(.account), let words = redaction.shown(words) {
      return words.appendJSON(to: &bytes, redaction)
    }
    let summary = summary.map { [JSONObject.Member("summary", .string($0))] } ?? []
    JSONValue.object([.init("redacted", "account")] + summary).appendJSON(to: &bytes, redaction)
  }
}

extension JSONMember<PolicyInputs> {
  /// How many documents were skipped, by what they are.
  static var skipped: JSONMember { .init("skipped") { JSONTable(entries: $0.skippedCounts) } }
}

extension JSONValue {
  /// What stands for a value that is withheld.
  package static var withheld: JSONValue { ["redacted": "account"] }
}
