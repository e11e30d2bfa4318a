import PropertyList

/// What a project of Xcode says about the settings of its apps and extensions: the files that its targets name, and the values
/// that Xcode puts into them.
///
/// A variable that the project does not define stays as it is, and what contains it is unknown. So is what a configuration
/// file (`.xcconfig`), which is not read, may define.
public struct XcodeProject: Sendable {
  /// An app or an extension.
  public struct Target: Sendable {
    /// Its name.
    public let name: String
    /// Whether it is an extension.
    public let isExtension: Bool
    /// The build settings of the target, then those of the project.
    let levels: [Level]
  }

  /// The build settings of a target alone, or of the project.
  struct Level: Sendable {
    /// Those whose value is known, with their places.
    var values: [String: (value: String, position: PropertyListPosition)] = [:]
    /// Those whose value depends on what is not known.
    var unknown: Set<String> = []
    /// Whether a configuration file adds to them.
    var hasFile = false
  }

  /// An app with its extensions.
  public struct App: Sendable {
    /// The app.
    public let target: Target
    /// The extensions on which it depends; those of the only app of a project are all.
    public let extensions: [Target]
  }

  /// What a build setting says about a file.
  public enum File: Equatable, Sendable {
    /// No file is named.
    case none
    /// The path below the project's folder.
    case path(String)
    /// The path contains a variable that is not known, or leads out of the project's folder.
    case unknown(String)
  }

  /// The apps for iOS, in the order of the project.
  public let apps: [App]

  /// Reads a `project.pbxproj`. Of the configurations, the one counts that archives are made of: `Release`, or the default one.
  public init(_ bytes: [UInt8]) throws(XcodeProjectError) {
    let root = try XcodeProjectText.value(of: bytes).table
    let objects = root["objects"]?.table ?? [:]
    func object(_ id: XcodeProjectText.Value?) -> [String: XcodeProjectText.Value] {
      id?.text.flatMap { objects[$0]?.table } ?? [:]
    }
    let project = object(root["rootObject"])
    let shared = Self.settings(object(project["buildConfigurationList"]), object)
    var targets: [(id: String, target: Target, dependencies: Set<String>)] = []
    var seen: Set<String> = []
    for value in project["targets"]?.list ?? [] {
      guard case .text(let id, let position) = value, seen.insert(id).inserted else { continue }
      let table = object(value)
      let type = table["productType"]?.text ?? ""
      let isExtension = Self.extensionTypes.contains(type)
      guard isExtension || type == "com.apple.product-type.application" else { continue }
      let own = Self.settings(object(table["buildConfigurationList"]), object)
      let target = Target(name: table["name"]?.text ?? "", isExtension: isExtension, levels: [own, shared])
      guard target.isForPhones else { continue }
      guard targets.count < Self.mostTargets else {
        throw XcodeProjectError(
          position: position, reason: "the project has more than \(Self.mostTargets) apps and extensions")
      }
      targets.append((id, target, Set((table["dependencies"]?.list ?? []).compactMap { object($0)["target"]?.text })))
    }
    let owners = targets.filter { !$0.target.isExtension }
    apps = owners.map { owner in
      App(
        target: owner.target,
        extensions: targets.filter { other in
          other.target.isExtension && (owners.count == 1 || owner.dependencies.contains(other.id))
        }.map(\.target))
    }
  }

  private static let mostTargets = 1000
  /// What Xcode calls extensions of apps for iOS.
  private static let extensionTypes: Set = [
    "com.apple.product-type.app-extension", "com.apple.product-type.app-extension.messages",
    "com.apple.product-type.extensionkit-extension",
  ]

  /// The build settings of one configuration in a list of them.
  private static func settings(
    _ list: [String: XcodeProjectText.Value],
    _ object: (XcodeProjectText.Value?) -> [String: XcodeProjectText.Value]
  ) -> Level {
    let all = (list["buildConfigurations"]?.list ?? []).map(object)
    let names = ["Release", list["defaultConfigurationName"]?.text]
    let chosen = names.lazy.compactMap { name in all.first { $0["name"]?.text == name } }.first ?? all.first
    var level = Level(hasFile: chosen?["baseConfigurationReference"] != nil)
    // The value for devices comes after the one for all platforms, and replaces it.
    for (key, value) in (chosen?["buildSettings"]?.table ?? [:]).sorted(by: { $0.key.utf8.count < $1.key.utf8.count }) {
      let name = String(key.prefix { $0 != "[" })
      let condition = key.dropFirst(name.count)
      guard condition.isEmpty || mayHold(condition) else { continue }
      guard condition.isEmpty || condition == "[sdk=iphoneos*]", case .text(let text, let position) = value else {
        level.unknown.insert(name)
        continue
      }
      level.values[name] = (text, position)
    }
    return level
  }

  /// Whether a condition on a setting may hold in a build for devices: unless it names the SDK of another platform.
  private static func mayHold(_ condition: Substring) -> Bool {
    let start = "[sdk="
    guard condition.hasPrefix(start) else { return true }
    let sdk = condition.dropFirst(start.count).prefix { $0 != "*" && $0 != "]" }
    return "iphoneos".hasPrefix(sdk) || sdk.hasPrefix("iphoneos")
  }
}

extension XcodeProject.Target {
  private static let mostReplacements = 100
  private static let mostBytes = 64 << 10
  private static let deepest = 8

  /// What the project says of a build setting for devices.
  private enum Setting {
    case missing
    /// A configuration file may define it, or it has a condition that is not understood.
    case unknown
    case value(String, at: PropertyListPosition)

    /// The value; `nil` if it is missing or unknown.
    var value: String? { if case .value(let value, _) = self { value } else { nil } }
  }

  private func setting(_ name: String) -> Setting {
    for level in levels {
      if level.unknown.contains(name) { return .unknown }
      if let (value, position) = level.values[name] { return .value(value, at: position) }
      if level.hasFile { return .unknown }
    }
    return .missing
  }

  /// Whether it is built for iOS, as far as that is known.
  var isForPhones: Bool {
    func known(_ name: String) -> String? {
      let text = resolved("$(\(name))")
      return text.hasBuildVariable ? nil : text
    }
    guard let root = known("SDKROOT") else { return true }
    guard root == "auto" else { return root.hasPrefix("iphoneos") }
    let platforms = "SUPPORTED_PLATFORMS"
    if case .missing = setting(platforms) { return false }
    return known(platforms)?.split(separator: " ").contains("iphoneos") ?? true
  }

  /// How far variables may still be replaced.
  private struct Budget {
    /// The bytes in all texts of a file.
    var fileBytes = 4 << 20
    /// The variables and the bytes in one text.
    var (variables, bytes) = (mostReplacements, mostBytes)

    mutating func beginText() { (variables, bytes) = (mostReplacements, mostBytes) }

    /// Whether a value can take the place of a variable.
    mutating func allows(_ value: String) -> Bool {
      let count = value.utf8.count
      guard count <= bytes, count <= fileBytes else { return false }
      (bytes, fileBytes) = (bytes - count, fileBytes - count)
      return true
    }
  }

  /// A text whose variables are replaced as far as the project defines them.
  func resolved(_ text: String) -> String {
    var budget = Budget()
    return resolved(text, 1, &budget)
  }

  private func resolved(_ text: String, _ depth: Int, _ budget: inout Budget) -> String {
    BuildVariable.expanding(in: text) { name, modifier in
      budget.variables -= 1
      let unknown = "$(\(name)\(modifier))"
      guard modifier.isEmpty, budget.variables >= 0, depth <= Self.deepest else { return unknown }
      switch name {
      case "SRCROOT", "PROJECT_DIR": return "."
      case "TARGET_NAME", "TARGETNAME": return self.name
      case "CFBundleIdentifier": return resolved("$(PRODUCT_BUNDLE_IDENTIFIER)", depth + 1, &budget)
      case "inherited": return unknown
      default:
        guard let value = setting(String(name)).value, budget.allows(value) else { return unknown }
        return resolved(value, depth + 1, &budget)
      }
    }
  }

  /// The file that a build setting names.
  public func file(_ name: String) -> XcodeProject.File {
    switch setting(name) {
    case .missing, .value("", _): return .none
    case .unknown, .value: break
    }
    let path = resolved("$(\(name))")
    guard !path.hasBuildVariable, !path.hasPrefix("/"), !path.hasPrefix("~") else { return .unknown(path) }
    var parts: [Substring] = []
    for part in path.split(separator: "/") where part != "." {
      guard part == ".." else {
        parts.append(part)
        continue
      }
      guard parts.popLast() != nil else { return .unknown(path) }
    }
    return .path(parts.joined(separator: "/"))
  }

  /// The settings in what Xcode makes of a file and the build settings.
  ///
  /// - Parameters:
  ///   - list: What the file holds; `nil` if the target names none.
  ///   - file: The file as findings name it.
  public func document(_ list: PropertyList?, file: String) -> SettingsDocument {
    let list =
      list ?? PropertyList(PropertyListValue(.dictionary(PropertyListDictionary()), at: .text(line: 1, column: 1)))
    return SettingsDocument(list, file: file, as: infoPlist(list.root))
  }

  /// The entitlements that Xcode makes of a file; `nil` if it is no dictionary.
  public func entitlements(_ list: PropertyList, file: String) -> EntitlementsDocument? {
    var budget = Budget()
    return EntitlementsDocument(
      entitlements: PropertyList(resolved(list.root, &budget), format: list.format), file: file)
  }

  /// Whether Xcode adds to the `Info.plist`, or may do so.
  private var isGenerated: Bool {
    switch setting("GENERATE_INFOPLIST_FILE") {
    case .missing: false
    case .unknown: true
    case .value(let value, _): resolved(value) == "YES" || resolved(value).hasBuildVariable
    }
  }

  /// What Xcode makes of an `Info.plist`.
  func infoPlist(_ root: PropertyListValue) -> PropertyListValue {
    guard let entries = root.dictionary?.entries else { return root }
    var budget = Budget()
    var made = entries.map { PropertyListDictionary.Entry($0.key, resolved($0.value, &budget), at: $0.position) }
    func add(_ key: String, _ value: PropertyListValue.Content) {
      if !made.contains(where: { $0.key == key }) { made.append(.init(key, PropertyListValue(value))) }
    }
    let prefix = "INFOPLIST_KEY_"
    if isGenerated {
      add("CFBundleIdentifier", .string(resolved("$(PRODUCT_BUNDLE_IDENTIFIER)")))
      let named = levels.flatMap { Array($0.values.keys) + $0.unknown }.filter {
        $0.hasPrefix(prefix) && $0.hasSuffix("Description")
      }
      // What a configuration file may define is there, and unknown.
      for name in Set(named + ["NSFaceIDUsageDescription", "CFBundleDisplayName"].map { prefix + $0 }).sorted() {
        if case .missing = setting(name) { continue }
        add(String(name.dropFirst(prefix.count)), .string(resolved("$(\(name))")))
      }
    }
    if isExtension { add("NSExtension", .dictionary(PropertyListDictionary())) }
    return PropertyListValue(.dictionary(PropertyListDictionary(made)), at: root.position)
  }

  private func resolved(_ value: PropertyListValue, _ budget: inout Budget) -> PropertyListValue {
    var value = value
    switch value.content {
    case .string(let text):
      budget.beginText()
      value.content = .string(resolved(text, 1, &budget))
    case .array(let elements): value.content = .array(elements.map { resolved($0, &budget) })
    case .dictionary(let dictionary):
      value.content = .dictionary(
        PropertyListDictionary(dictionary.entries.map { .init($0.key, resolved($0.value, &budget), at: $0.position) }))
    case .integer, .unsigned, .real, .bool, .date, .data: break
    }
    return value
  }

  /// What the project itself says that the SDK does not support.
  ///
  /// - Parameter file: The `project.pbxproj` as findings name it.
  public func findings(file: String) -> [SettingsFinding] {
    let key = "IPHONEOS_DEPLOYMENT_TARGET"
    guard case .value(let value, let position) = setting(key), SettingsDocument.isBelowMinimumOS(resolved(value)) else {
      return []
    }
    return [
      SettingsFinding(
        rule: .minimumOSTooLow, file: file, position: position, path: PropertyListPath([.key(key)]),
        message: SettingsDocument.minimumOSMessage(resolved(value)), remedy: SettingsDocument.minimumOSRemedy)
    ]
  }
}
