import WireFormat

extension EventCatalog {
  /// The SHA-256 digest of the numbers, names, versions, rules for unknown readers and fields of all entries: two programs
  /// with the same fingerprint fold the same events into the same states.
  ///
  /// Meanings, remedies, prefixes and privacy classes are excluded: rewording a sentence changes no state, and folding opens
  /// no sealed value. Whether one opens depends on the privacy class as well. Computed once.
  public func fingerprint() -> Digest {
    fingerprintCache.value(computeFingerprint)
  }

  private func computeFingerprint() -> Digest {
    var writer = WireWriter()
    for entry in entries {
      writer.write(
        1,
        message: {
          $0.write(1, unsigned: UInt64(entry.number))
          $0.write(2, string: entry.name)
          $0.write(3, unsigned: UInt64(entry.version))
          $0.write(4, unsigned: UInt64(entry.unknownReaders.rawValue))
          $0.write(5, message: { entry.body.encode(into: &$0) })
        })
    }
    return .sha256(writer.bytes)
  }
}

extension MessageDescriptor {
  fileprivate func encode(into writer: inout WireWriter) {
    writer.write(1, string: name)
    for field in fields { writer.write(2, message: { field.encode(into: &$0) }) }
  }
}

extension FieldDescriptor {
  fileprivate func encode(into writer: inout WireWriter) {
    writer.write(1, unsigned: UInt64(clamping: number))
    writer.write(2, string: name)
    writer.write(3, string: type.name)
    writer.write(4, unsigned: cardinality.rawValue)
    switch type {
    case .enumeration(let names):
      for member in names.members {
        writer.write(
          5,
          message: {
            $0.write(1, unsigned: member.number)
            $0.write(2, string: member.name)
          })
      }
    case .message(let descriptor): writer.write(6, message: { descriptor.encode(into: &$0) })
    // The type's name is the full description.
    case .bool, .unsigned, .signed, .string, .json, .bytes, .guid, .time, .duration, .reference, .sequence: break
    }
    writer.write(7, unsigned: refinement?.rawValue ?? 0)
  }
}

extension FieldType {
  /// Whether a name is that of a type that names nothing else. Fingerprints tell a reference from such a type by its name
  /// alone.
  static func isScalarName(_ name: String) -> Bool { scalarNames.contains(name) }

  private static let scalarNames: Set<String> = Set(
    [FieldType.bool, .unsigned, .signed, .string, .json, .bytes, .guid, .time, .duration, .sequence].map(\.name))

  /// The type as this project spells it, such as `unsigned`; references, enumerations and messages use their
  /// own name.
  public var name: String {
    switch self {
    case .bool: "bool"
    case .unsigned: "unsigned"
    case .signed: "signed"
    case .string: "string"
    case .json: "json"
    case .bytes: "bytes"
    case .guid: "guid"
    case .time: "time"
    case .duration: "duration"
    case .reference(let kind): kind.name
    case .sequence: "sequence"
    case .enumeration(let descriptor): descriptor.name
    case .message(let descriptor): descriptor.name
    }
  }
}
