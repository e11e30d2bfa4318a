import Testing

/// The shape of a public app's property list: the keys around what a repair touches, in their order, with the layout of the file.
/// Written by hand from what the repositories show; texts and what does not matter are left out.
struct PublicShape: Sendable, CustomTestStringConvertible {
  /// The repository and the file.
  let source: String
  /// The members of the outermost dictionary.
  let members: [Member]
  /// One step of indentation.
  var unit = "\t"
  /// Whether the outermost dictionary is indented, too.
  var isIndented = false
  /// Whether the file ends without a line break.
  var lacksLastBreak = false
  /// The URL schemes that a repair adds.
  var twins: [String] = []
  /// How many schemes the app asks for after a repair; `nil` for an extension.
  var queries: Int? = 17
  /// Whether the text for Face ID is missing.
  var lacksFaceIDText = true

  var testDescription: String { source }

  /// A member of a dictionary.
  struct Member: Sendable {
    let key: String
    let value: Value
    /// The indentation of this member where it is another than the file's.
    var unit: String?
  }

  indirect enum Value: Sendable {
    /// A text as it stands in the file, with its references.
    case text(String)
    case flag(Bool)
    case number(Int)
    case list([Value])
    case dict([Member])
  }

  /// The file.
  ///
  /// - Parameter comment: What stands after each value, such as a comment.
  func text(lineBreak: String = "\n", comment: String = "") -> String {
    let outer = isIndented ? 1 : 0
    let head = [
      #"<?xml version="1.0" encoding="UTF-8"?>"#,
      #"<!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">"#,
      #"<plist version="1.0">"#,
    ]
    let body = lines(.dict(members), unit, outer)
    let lines = head + body.map { $0.hasSuffix("</key>") ? $0 : $0 + comment } + ["</plist>"]
    // A text over several lines has the line breaks of the file.
    return lines.joined(separator: "\n").replacing("\n", with: lineBreak) + (lacksLastBreak ? "" : lineBreak)
  }

  private func lines(_ value: Value, _ unit: String, _ depth: Int) -> [String] {
    let gap = String(repeating: unit, count: depth)
    func container(_ name: String, _ inner: [String]) -> [String] {
      inner.isEmpty ? ["\(gap)<\(name)/>"] : ["\(gap)<\(name)>"] + inner + ["\(gap)</\(name)>"]
    }
    switch value {
    case .text(let text): return ["\(gap)<string>\(text)</string>"]
    case .flag(let flag): return ["\(gap)<\(flag)/>"]
    case .number(let number): return ["\(gap)<integer>\(number)</integer>"]
    case .list(let elements): return container("array", elements.flatMap { lines($0, unit, depth + 1) })
    case .dict(let members):
      return container(
        "dict",
        members.flatMap { member in
          let unit = member.unit ?? unit
          return [String(repeating: unit, count: depth + 1) + "<key>\(member.key)</key>"]
            + lines(member.value, unit, depth + 1)
        })
    }
  }
}

extension PublicShape.Value: ExpressibleByStringLiteral, ExpressibleByBooleanLiteral, ExpressibleByIntegerLiteral,
  ExpressibleByArrayLiteral, ExpressibleByDictionaryLiteral
{
  init(stringLiteral text: String) { self = .text(text) }
  init(booleanLiteral flag: Bool) { self = .flag(flag) }
  init(integerLiteral number: Int) { self = .number(number) }
  init(arrayLiteral elements: Self...) { self = .list(elements) }
  init(dictionaryLiteral members: (String, Self)...) { self = .dict(members.map { .init(key: $0.0, value: $0.1) }) }
}

extension PublicShape {
  /// The members of a dictionary, in their order.
  static func members(_ members: KeyValuePairs<String, Value>) -> [Member] {
    members.map { Member(key: $0.key, value: $0.value) }
  }

  /// The link types of an app, each with its role, its name and its schemes.
  static func links(_ types: (role: String?, name: String?, schemes: [String])...) -> Value {
    .list(
      types.map { type in
        let about = [("CFBundleTypeRole", type.role), ("CFBundleURLName", type.name)].compactMap { key, text in
          text.map { Member(key: key, value: .text($0)) }
        }
        return .dict(about + [Member(key: "CFBundleURLSchemes", value: schemes(type.schemes))])
      })
  }

  static func schemes(_ schemes: [String]) -> Value { .list(schemes.map { .text($0) }) }

  /// What nearly every app begins with.
  static func head(_ identifier: String, name: String = "$(PRODUCT_NAME)", type: String = "APPL") -> [Member] {
    members([
      "CFBundleDevelopmentRegion": "en", "CFBundleExecutable": "$(EXECUTABLE_NAME)",
      "CFBundleIdentifier": .text(identifier), "CFBundleInfoDictionaryVersion": "6.0", "CFBundleName": .text(name),
      "CFBundlePackageType": .text(type),
    ])
  }

  /// An extension with its activation rule.
  static func sharing(
    _ rule: Value, point: String = "com.apple.share-services", storyboard: String? = "MainInterface"
  ) -> Member {
    let attributes = Member(key: "NSExtensionAttributes", value: ["NSExtensionActivationRule": rule])
    let main = storyboard.map { [Member(key: "NSExtensionMainStoryboard", value: .text($0))] } ?? []
    return Member(
      key: "NSExtension",
      value: .dict([attributes] + main + [Member(key: "NSExtensionPointIdentifier", value: .text(point))]))
  }

  /// A scene of each kind, with its delegates.
  static func scenes(_ roles: KeyValuePairs<String, [String?]>) -> Value {
    let configurations = roles.map { role, delegates in
      Member(
        key: role,
        value: .list(
          delegates.map { delegate in
            .dict(
              members(["UISceneConfigurationName": "Default Configuration"])
                + (delegate.map { [Member(key: "UISceneDelegateClassName", value: .text($0))] } ?? []))
          }))
    }
    return .dict(
      members(["UIApplicationSupportsMultipleScenes": false])
        + (configurations.isEmpty ? [] : [Member(key: "UISceneConfigurations", value: .dict(configurations))]))
  }
}
