import AppProtection
import CommandSupport
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

extension JSONMember<PolicyInputs> {
  /// How many documents were skipped, by what they are.
  static var skipped: JSONMember { .init("skipped") { JSONTable(entries: $0.skippedCounts) } }
}
