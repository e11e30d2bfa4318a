import CommandSupport
import PolicySettings
import PropertyList

/// The apps of a project of Xcode.
extension AppInput {
  private static let ending = ".xcodeproj"

  /// The folder and the name of the project that a folder is or holds; `nil` where there is none.
  private static func project(_ word: String) throws(Failure) -> (folder: AppFolder, file: String)? {
    var name = word.split(separator: "/").last.map(String.init) ?? ""
    var root = word
    if name.hasSuffix(ending) {
      root = word.contains("/") ? String(word.dropLast(name.count + 1)) : "."
      if root.isEmpty { root = "/" }
    } else {
      let names = try AppFolder(root: word).folders(in: "").filter { $0.hasSuffix(ending) }
      guard let first = names.first else { return nil }
      guard names.count == 1 else {
        throw Failure(
          .unreadable,
          "\(word): this holds \(names.count) projects, and one is checked at a time: "
            + names.prefix(mostNamed).joined(separator: ", "),
          next: "pj settings check \("\(word)/\(first)".shellWord)")
      }
      name = first
    }
    return (AppFolder(root: root), "\(name)/project.pbxproj")
  }

  private static func apps(_ file: String, _ source: AppFolder) throws(Failure) -> [XcodeProject.App] {
    let shown = source.shown(file)
    guard let size = try source.size(of: file) else {
      throw Failure(.unreadable, "\(shown): the project has no such file", next: "ls -l \(shown.shellWord)")
    }
    let bytes = source.bytes(of: file, at: 0, count: min(size, FileInput.longest + 1)) ?? []
    let document = try FileInput.expectDocument(bytes, shown)
    let apps: [XcodeProject.App]
    do throws(XcodeProjectError) {
      apps = try XcodeProject(document).apps
    } catch {
      throw Failure(.unreadable, "\(shown): \(error)", next: "plutil -lint \(shown.shellWord)")
    }
    guard !apps.isEmpty else {
      throw Failure(.unreadable, "\(shown): the project has no target that is an app for iOS", next: "pj help settings")
    }
    return apps
  }

  /// The property lists and the entitlements of a project, for a command that takes files; other words stay as they are.
  ///
  /// - Returns: The files, and the property list to which a project's entitlements belong.
  static func files(of words: [String]) throws(Failure) -> (paths: [String], owners: [String: String]) {
    var files: [String] = []
    var owners: [String: String] = [:]
    for word in words {
      guard Platform.kind(of: word) == .folder, let (source, file) = try project(withoutSlash(word)) else {
        files.append(word)
        continue
      }
      for app in try apps(file, source) {
        for target in [app.target] + app.extensions {
          try expectExtension(target, source)
          let named = [infoPlist, entitlements].map { setting -> String? in
            if case .path(let path) = target.file(setting) { path } else { nil }
          }
          for case let path? in named {
            guard try source.size(of: path) != nil else { continue }
            let shown = source.shown(path)
            if !files.contains(shown) { files.append(shown) }
          }
          if let list = named[0], let signed = named[1] { owners[source.shown(signed)] = source.shown(list) }
        }
      }
    }
    return (files, owners)
  }

  /// Refuses an extension that would be repaired as if it were an app, because what makes it one is not in its file.
  private static func expectExtension(_ target: XcodeProject.Target, _ source: AppFolder) throws(Failure) {
    guard target.isExtension, case .path(let path) = target.file(infoPlist),
      let list = try propertyList(path, source), SettingsDocument(list).scope != .infoPlist(isExtension: true)
    else { return }
    throw Failure(
      .unreadable, "\(source.shown(path)): the target \(target.name) is an extension, and its file has no NSExtension",
      next: "pj settings fix with the files to repair")
  }

  private static let infoPlist = "INFOPLIST_FILE"
  private static let entitlements = "CODE_SIGN_ENTITLEMENTS"

  /// Reads and checks a folder that is or holds a project; `false` where it is another one.
  mutating func readProject(_ word: String) throws(Failure) -> Bool {
    guard let (source, file) = try Self.project(word) else { return false }
    let shown = source.shown(file)
    for app in try Self.apps(file, source) {
      var parts: [AppParts.Part] = []
      var isAppKnown = false
      for target in [app.target] + app.extensions {
        findings += target.findings(file: shown)
        do throws(Failure) {
          guard let part = try part(target, shown, source) else { continue }
          parts.append(part)
          if !target.isExtension { isAppKnown = true }
        } catch {
          failures.append((shown, error))
        }
      }
      if isAppKnown {
        findings += AppParts(app: parts[0], extensions: Array(parts.dropFirst())).findings
      } else {
        for part in parts { findings += part.document.findings }
      }
    }
    // Several apps may have the same extension.
    var seen: Set<String> = []
    findings = findings.filter { seen.insert("\($0.rule) \($0)").inserted }
    return true
  }

  private mutating func part(
    _ target: XcodeProject.Target, _ project: String, _ source: AppFolder
  ) throws(Failure) -> AppParts.Part? {
    var (list, file): (PropertyList?, String) = (nil, project)
    if let path = path(Self.infoPlist, target, project) {
      list = try Self.named(path, Self.infoPlist, target, source)
      file = source.shown(path)
    } else if case .unknown = target.file(Self.infoPlist) {
      return nil
    }
    if !files.contains(file) { files.append(file) }
    var part = AppParts.Part(document: target.document(list, file: file))
    if let path = path(Self.entitlements, target, project) {
      let list = try Self.named(path, Self.entitlements, target, source)
      part.entitlements = target.entitlements(list, file: source.shown(path))
    } else if case .none = target.file(Self.entitlements) {
      notes.append((project, "the target \(target.name) names no CODE_SIGN_ENTITLEMENTS, so these are unknown"))
    }
    return part
  }

  /// The path that a build setting names; `nil`, with a note, where it is not known.
  private mutating func path(_ setting: String, _ target: XcodeProject.Target, _ project: String) -> String? {
    switch target.file(setting) {
    case .none: return nil
    case .path(let path): return path
    case .unknown(let path):
      notes.append(
        (
          project,
          "\(setting) of the target \(target.name) is \(PropertyListExcerpt.quoted(path)), which is not known here or "
            + "leads out of the project, so it is not checked"
        ))
      return nil
    }
  }

  private static func named(
    _ path: String, _ setting: String, _ target: XcodeProject.Target, _ source: AppFolder
  ) throws(Failure) -> PropertyList {
    if let list = try propertyList(path, source) { return list }
    let shown = source.shown(path)
    throw Failure(
      .unreadable, "\(shown): the target \(target.name) names this file in \(setting), and it is missing",
      next: "ls -l \(shown.shellWord)")
  }
}
