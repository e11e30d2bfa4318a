import PropertyList

/// Writes the dictionary form of an activation rule (Apple, "App Extension Keys") as a predicate, which can name the SDK's
/// types beside the system's.
///
/// How the system itself reads the dictionary is not published beyond the meaning of its keys, so this is a reading: one
/// extension item with at most as many attachments of each kind as its key says, of which at least one (version 1) or all
/// (version 2) are of these kinds.
enum ActivationRuleConversion {
  private static let prefix = "NSExtensionActivation"
  private static let versionKey = prefix + "DictionaryVersion"

  /// The types that a key stands for.
  private static let types: [(key: String, types: [String])] = [
    ("SupportsAttachmentsWithMaxCount", []), ("SupportsAttachmentsWithMinCount", []),
    ("SupportsFileWithMaxCount", ["public.file-url", "public.data"]), ("SupportsImageWithMaxCount", ["public.image"]),
    ("SupportsMovieWithMaxCount", ["public.movie"]), ("SupportsText", ["public.plain-text"]),
    ("SupportsWebURLWithMaxCount", ["public.url"]),
    ("SupportsWebPageWithMaxCount", ["public.url", "com.apple.property-list"]),
  ]

  /// The predicate; `nil` if a key or a value is none that is known, or if the rule accepts nothing.
  static func predicate(of rule: PropertyListDictionary) -> String? {
    let known = Set(types.map { prefix + $0.key } + [versionKey])
    guard rule.entries.allSatisfy({ known.contains($0.key) }) else { return nil }
    var conditions: [String] = []
    var all: [String] = []
    for (key, types) in types {
      guard let value = rule[prefix + key] else { continue }
      guard let count = count(value) else { return nil }
      if key == "SupportsAttachmentsWithMinCount" {
        conditions.append("$extensionItem.attachments.@count >= \(count)")
      } else if key == "SupportsAttachmentsWithMaxCount" {
        conditions.append("$extensionItem.attachments.@count <= \(count)")
      } else if count > 0 {
        all += types.filter { !all.contains($0) }
        if value.bool == nil { conditions.append("\(matching(types, but: excluded(key))) <= \(count)") }
      }
    }
    guard !all.isEmpty else { return nil }
    let isStrict = rule[versionKey]?.number ?? 1 >= 2
    conditions.append(matching(all) + (isStrict ? " == $extensionItem.attachments.@count" : " >= 1"))
    return "SUBQUERY(extensionItems, $extensionItem, \(conditions.joined(separator: " AND "))).@count == 1"
  }

  /// The types that conform to those of a key and have keys of their own.
  private static func excluded(_ key: String) -> [String] {
    switch key {
    case "SupportsFileWithMaxCount": ["public.image", "public.movie"]
    case "SupportsWebURLWithMaxCount", "SupportsWebPageWithMaxCount": ["public.file-url"]
    default: []
    }
  }

  /// How many attachments are of one of these types, or of one of the SDK's twins of them, and of none of others.
  private static func matching(_ types: [String], but others: [String] = []) -> String {
    let condition = others.isEmpty ? any(of: types) : "(\(any(of: types))) AND NOT (\(any(of: others)))"
    return "SUBQUERY($extensionItem.attachments, $attachment, \(condition)).@count"
  }

  private static func any(of types: [String]) -> String {
    types.flatMap { [$0, SettingsDocument.managedTypePrefix + $0] }.map {
      "ANY $attachment.registeredTypeIdentifiers UTI-CONFORMS-TO \"\($0)\""
    }.joined(separator: " || ")
  }

  private static func count(_ value: PropertyListValue) -> Int? {
    switch value.content {
    case .bool(let flag): flag ? 1 : 0
    case .integer(let number): (0...1_000_000).contains(number) ? Int(number) : nil
    case .string, .unsigned, .real, .date, .data, .array, .dictionary: nil
    }
  }
}
