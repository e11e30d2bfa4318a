import JSON
import PlainText
import PropertyList
import WireFormat

/// Settings that a configuration for managed devices packs into one text: a property list for iOS, a payload for Android.
extension AppConfigurationDocument {
  /// A packed text that was read, or why it was not.
  struct Packed: Equatable, Sendable {
    var settings: [Setting] = []
    /// The reason: one sentence without a full stop; `nil` where it was read.
    var problem: String?
  }

  /// The most bytes of a packed text; real ones have a few thousand.
  private static let mostBytes = 4 << 20

  private static func bytes(_ base64: String) -> [UInt8]? {
    base64.utf8.count <= mostBytes ? Base64.decode(spaced: base64) : nil
  }

  /// Reads a property list in Base64.
  static func packed(propertyList base64: String) -> Packed {
    guard let bytes = bytes(base64) else { return Packed(problem: "it is not Base64") }
    do throws(PropertyListError) {
      // Some documents hold the dictionary alone, without what a property list has around it.
      let list = try PropertyList.read(bytes)
      guard let dictionary = list.root.dictionary else { return Packed(problem: "its property list is no dictionary") }
      return Packed(settings: settings(dictionary, below: nil))
    } catch {
      return Packed(problem: "it holds no property list: \(error.message)")
    }
  }

  private static func settings(_ dictionary: PropertyListDictionary, below path: String?) -> [Setting] {
    dictionary.entries.flatMap { entry in
      settings(entry.value, path.map { "\($0).\(entry.key)" } ?? entry.key, path != nil)
    }
  }

  private static func settings(_ value: PropertyListValue, _ key: String, _ isNested: Bool) -> [Setting] {
    func setting(_ type: String, _ text: String?) -> [Setting] {
      var setting = Setting(key: key, type: type, value: text, list: .propertyList)
      setting.isNested = isNested
      return [setting]
    }
    switch value.content {
    case .string(let text): return setting("string", text)
    case .integer(let number): return setting("integer", "\(number)")
    case .unsigned(let number): return setting("integer", "\(number)")
    case .real(let number): return setting("real", "\(number)")
    case .bool(let flag): return setting("boolean", "\(flag)")
    case .date: return setting("date", nil)
    case .data: return setting("data", nil)
    case .array(let elements):
      let texts = elements.compactMap(\.string)
      if texts.count == elements.count { return setting("array", texts.joined(separator: ", ")) }
      return setting("array", nil)
        + elements.enumerated().flatMap { settings($0.element, "\(key)[\($0.offset)]", true) }
    case .dictionary(let dictionary): return setting("dict", nil) + settings(dictionary, below: key)
    }
  }

  /// Reads the payload of managed Google Play: JSON in Base64, or the JSON itself, as some exports unpack it.
  static func packed(payload node: JSONNode) -> Packed {
    var root = node
    if let text = node.value.string {
      // Some exports decode the payload and keep it as a text.
      let isJSON = text.first { !$0.isWhitespace } == "{"
      guard let bytes = isJSON ? Array(text.utf8) : bytes(text) else { return Packed(problem: "it is not Base64") }
      do throws(JSONError) {
        root = try JSONDocument.parse(bytes).root
      } catch {
        return Packed(problem: "it holds no JSON: \(error.message)")
      }
    }
    do throws(JSONError) {
      return Packed(settings: try properties(root, below: nil))
    } catch {
      return Packed(problem: "\(error.path): \(error.message)")
    }
  }

  /// The members that may hold the value of a property; each has one.
  private static let values = [
    "valueString", "valueBool", "valueInteger", "valueStringArray", "valueBundle", "valueBundleArray",
  ]

  private static func properties(_ node: JSONNode, below path: String?) throws(JSONError) -> [Setting] {
    var settings: [Setting] = []
    for property in try node.present("managedProperty")?.elements() ?? [] {
      let name = try property.required("key").string()
      let key = path.map { "\($0).\(name)" } ?? name
      var given: [(name: String, node: JSONNode)] = []
      for name in values {
        if let value = try property.present(name) { given.append((name, value)) }
      }
      var setting = Setting(
        key: key, type: given.map(\.name).joined(separator: " and "), value: nil, list: .payload)
      setting.isNested = path != nil
      var below: [Setting] = []
      if let value = given.first, given.count == 1 {
        switch value.name {
        case "valueStringArray":
          var texts: [String] = []
          for element in try value.node.elements() { texts.append(try element.string()) }
          setting.value = texts.joined(separator: ", ")
        case "valueBundle": below = try properties(value.node, below: key)
        case "valueBundleArray":
          for (index, element) in try value.node.elements().enumerated() {
            below += try properties(element, below: "\(key)[\(index)]")
          }
        case _: setting.value = value.node.value.string ?? value.node.value.description
        }
      }
      settings += [setting] + below
    }
    return settings
  }
}
