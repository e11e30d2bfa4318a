import CommandSupport
import PolicySettings
import PropertyList
import ProtectionSupport

/// A whole app, as `pj settings check` takes it: its parts, what of them cannot be read, and what is unknown.
struct AppInput {
  /// What was found in all that could be read.
  var findings: [SettingsFinding] = []
  /// The property lists that were read.
  var files: [String] = []
  /// What cannot be read.
  var failures: [(file: String, failure: Failure)] = []
  /// What remains unknown, each with its reason.
  var notes: [(file: String, note: String)] = []

  /// Where apps are in what was named.
  private static let places = ["", "Payload", "Products/Applications"]
  static let mostNamed = 5
  private static let mostExtensions = 200

  /// Reads and checks what a word names.
  init(_ word: String, _ context: CommandContext) throws(Failure) {
    switch Platform.kind(of: word) {
    case .folder, .linkToFolder:
      let folder = Self.withoutSlash(word)
      let isApp = folder.hasSuffix(".app")
      if !isApp, try readProject(folder) { return }
      // An app's own folder may have any name, as where it is the current one.
      let source = AppFolder(root: folder)
      let isUnnamed = try Self.apps(in: source).isEmpty && Platform.kind(of: "\(folder)/Info.plist") == .file
      try read(source, isApp: isApp || isUnnamed)
      return
    case .file, .other, nil: break
    }
    let bytes = try FileInput.bytes(of: word, context, limit: DocumentInput.longestArchive)
    guard ArchiveInput.mayBeArchive(bytes) else {
      try read(try SettingsInput.propertyList(try FileInput.expectDocument(bytes, word), word), word)
      return
    }
    let archive = try ArchivedApp(bytes, word)
    for loss in archive.losses {
      failures.append((word, Failure(.unreadable, "\(word): \(loss)", next: "unzip -t \(word.shellWord)")))
    }
    try read(archive, isApp: false)
  }

  static func withoutSlash(_ word: String) -> String {
    word.count > 1 && word.hasSuffix("/") ? withoutSlash(String(word.dropLast())) : word
  }

  private static func path(_ folder: String, _ name: String) -> String {
    folder.isEmpty ? name : "\(folder)/\(name)"
  }

  // MARK: Parts

  /// A property list alone.
  private mutating func read(_ list: PropertyList, _ word: String) throws(Failure) {
    files.append(word)
    if let entitlements = EntitlementsDocument(list, file: word) {
      findings = AppComparison(documents: [], entitlements: [entitlements]).findings
    } else {
      findings = AppParts(app: .init(document: SettingsDocument(list, file: word))).findings
    }
  }

  private mutating func read(_ source: any AppFiles, isApp: Bool) throws(Failure) {
    let folder = isApp ? "" : try Self.app(in: source)
    let app = try part(folder, source)
    var extensions: [AppParts.Part] = []
    for place in ["PlugIns", "Extensions"] {
      let place = Self.path(folder, place)
      let names = try source.folders(in: place).filter { $0.hasSuffix(".appex") }
      guard names.count <= Self.mostExtensions else {
        let shown = source.shown(place)
        failures.append(
          (
            shown,
            Failure(
              .unreadable, "\(shown): the app has more than \(Self.mostExtensions) extensions, which are not read",
              next: "pj help settings")
          ))
        continue
      }
      for name in names {
        let folder = Self.path(place, name)
        do throws(Failure) { extensions.append(try part(folder, source)) } catch {
          failures.append((source.shown(folder), error))
        }
      }
    }
    findings += AppParts(app: app, extensions: extensions).findings
  }

  /// The folders of apps.
  private static func apps(in source: any AppFiles) throws(Failure) -> [String] {
    var places = places
    for name in try source.folders(in: "") where name.hasSuffix(".xcarchive") {
      places.append("\(name)/Products/Applications")
    }
    var found: [String] = []
    for place in places {
      for name in try source.folders(in: place) where name.hasSuffix(".app") { found.append(path(place, name)) }
    }
    return found
  }

  /// The folder of the only app.
  private static func app(in source: any AppFiles) throws(Failure) -> String {
    let found = try apps(in: source)
    let word = source.shown("")
    guard let first = found.first else {
      throw Failure(
        .unreadable, "\(word): this holds no app and no project: none here, in Payload or in Products/Applications",
        next: "pj help settings")
    }
    guard found.count == 1 else {
      let names = found.prefix(mostNamed).joined(separator: ", ")
      let isFolder = source is AppFolder
      throw Failure(
        .unreadable, "\(word): this holds \(found.count) apps, and one is checked at a time: \(names)",
        next: isFolder
          ? "pj settings check \(source.shown(first).shellWord)"
          : "unzip -q \(word.shellWord) && pj settings check \(first.shellWord)")
    }
    return first
  }

  /// The app or an extension in a folder.
  private mutating func part(_ folder: String, _ source: any AppFiles) throws(Failure) -> AppParts.Part {
    let path = Self.path(folder, "Info.plist")
    guard let list = try Self.propertyList(path, source) else {
      throw Failure(
        .unreadable, "\(source.shown(path)): the property list of an app or an extension is missing",
        next: "pj help settings")
    }
    files.append(source.shown(path))
    let name = list.root.dictionary?["CFBundleExecutable"]?.string
    var part = AppParts.Part(document: SettingsDocument(list, file: source.shown(path)))
    if Self.isForSimulator(list) {
      notes.append(
        (
          source.shown(path),
          "the app is built for the simulator, whose entitlements say nothing about those of a device"
        ))
    } else {
      do throws(Failure) {
        part.entitlements = try entitlements(folder, executable: name, source)
      } catch {
        failures.append((source.shown(folder), error))
      }
    }
    do throws(Failure) { part.frameworks = try Self.frameworks(folder, source) } catch {
      failures.append((source.shown(folder), error))
    }
    return part
  }

  /// Whether Xcode built an app for the simulator.
  private static func isForSimulator(_ list: PropertyList) -> Bool {
    let root = list.root.dictionary
    return root?["DTPlatformName"]?.string == "iphonesimulator"
      || root?["CFBundleSupportedPlatforms"]?.array?.contains { $0.string == "iPhoneSimulator" } == true
  }

  static func propertyList(_ path: String, _ source: any AppFiles) throws(Failure) -> PropertyList? {
    guard let size = try source.size(of: path) else { return nil }
    let shown = source.shown(path)
    let bytes = source.bytes(of: path, at: 0, count: min(size, FileInput.longest + 1)) ?? []
    return try SettingsInput.propertyList(try FileInput.expectDocument(bytes, shown), shown)
  }

  /// What the executable was signed with; else what Xcode left beside it.
  private mutating func entitlements(
    _ folder: String, executable: String?, _ source: any AppFiles
  ) throws(Failure) -> EntitlementsDocument? {
    let last = folder.isEmpty ? source.shown("") : folder
    let stem = last.split(separator: "/").last.map { $0.prefix(upTo: $0.lastIndex(of: ".") ?? $0.endIndex) } ?? ""
    let name = executable.flatMap { $0.isEmpty || $0.contains("/") || $0 == ".." ? nil : $0 } ?? String(stem)
    let path = Self.path(folder, name)
    if let size = try source.size(of: path) {
      let found: [UInt8]?
      do throws(CodeSignatureError) {
        found = try CodeSignature.entitlements(size: size) { source.bytes(of: path, at: $0, count: $1) }
      } catch {
        throw Failure(
          .unreadable, "\(source.shown(path)): the signature cannot be read: \(error)",
          next: "codesign -d --entitlements - \(source.shown(path).shellWord)")
      }
      if let found {
        let shown = source.shown(path)
        return EntitlementsDocument(entitlements: try SettingsInput.propertyList(found, shown), file: shown)
      }
    }
    let left = Self.path(folder, "archived-expanded-entitlements.xcent")
    if let list = try Self.propertyList(left, source) {
      return EntitlementsDocument(entitlements: list, file: source.shown(left))
    }
    notes.append(
      (source.shown(path), "the entitlements are unknown, because the executable is missing or not signed with any"))
    return nil
  }

  /// The frameworks of the SDK in a folder.
  private static func frameworks(_ folder: String, _ source: any AppFiles) throws(Failure) -> [AppParts.Framework] {
    let ending = ".framework"
    let place = path(folder, "Frameworks")
    var frameworks: [AppParts.Framework] = []
    for name in try source.folders(in: place) where name.hasPrefix("IntuneMAM") && name.hasSuffix(ending) {
      let list = try propertyList("\(place)/\(name)/Info.plist", source)
      let version = list?.root.dictionary?["CFBundleShortVersionString"]?.string
      frameworks.append(.init(name: String(name.dropLast(ending.count)), version: version))
    }
    return frameworks
  }
}
