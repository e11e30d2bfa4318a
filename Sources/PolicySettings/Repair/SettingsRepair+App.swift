import PropertyList

/// What an app's `Info.plist` needs around the settings. Each function lists its rules; their sources are in
/// ``SettingsRule``.
extension SettingsRepair {
  /// The most schemes that the system looks up for one app (Apple, `canOpenURL(_:)`: an app linked against iOS 15 or later).
  static let mostQuerySchemes = 50

  private static let managedSuffix = "-intunemam"
  /// The schemes of web links, by whose twins an app would become a managed browser.
  private static let webSchemes: Set<String> = ["http", "https", "microsoft-edge-http", "microsoft-edge-https"]
  private static let queriesKey = "LSApplicationQueriesSchemes"

  func repairApp(_ document: SettingsDocument, _ file: inout FileRepair) {
    repairQuerySchemes(document, &file)
    repairURLSchemes(document, &file)
    repairFaceIDText(document, &file)
  }

  /// What stands where a scheme is expected.
  private enum SchemeForm {
    /// A scheme, perhaps with build variables in it.
    case scheme
    /// A build variable that may hold anything.
    case unknown
    /// Something else.
    case invalid

    init(_ text: String) {
      if BuildVariable.isAll(of: text) {
        self = BuildVariable.isIdentifier(text) ? .scheme : .unknown
      } else {
        self = SettingForm.isScheme(BuildVariable.expanding(in: text) { _, _ in "a" }[...]) ? .scheme : .invalid
      }
    }
  }

  /// The twins that schemes lack, and notes about what cannot have one.
  private func twins(
    of schemes: [String], beside others: [String], at path: PropertyListPath, _ file: inout FileRepair
  ) -> [String] {
    var known = Set(others.map { $0.lowercased() })
    var twins: [String] = []
    for scheme in schemes where !scheme.lowercased().hasSuffix(Self.managedSuffix) {
      guard !known.contains(scheme.lowercased() + Self.managedSuffix) else { continue }
      switch SchemeForm(scheme) {
      case .scheme:
        known.insert(scheme.lowercased() + Self.managedSuffix)
        twins.append(scheme + Self.managedSuffix)
      case .unknown:
        file.addNote(
          at: path, "\(PropertyListExcerpt.quoted(scheme)) may stand for anything, also for a whole address",
          remedy: "where it is a scheme, add \(PropertyListExcerpt.quoted(scheme + Self.managedSuffix))")
      case .invalid:
        file.addNote(
          at: path, "\(PropertyListExcerpt.quoted(scheme)) is not a URL scheme and gets no twin",
          remedy: "write only the part before the colon: a letter, then letters, digits, +, - and .")
      }
    }
    return twins
  }

  // MARK: Schemes that the app asks for

  /// missingQuerySchemes, missingBrokerSchemes, missingTwinScheme
  private func repairQuerySchemes(_ document: SettingsDocument, _ file: inout FileRepair) {
    let path = PropertyListPath([.key(Self.queriesKey)])
    let found = file.value(at: path)
    if let found, found.array == nil {
      return file.addNote(
        at: path, "a list is needed, and \(PropertyListExcerpt.phrase(found)) was found",
        remedy: "write <array>…</array>")
    }
    let schemes = found?.array?.compactMap(\.string) ?? []
    let declared = Set(schemes.map { $0.lowercased() })
    let links = declared.contains("mailto") ? ["ms-outlook-intunemam"] : []
    let needed = (SettingsDocument.querySchemes + links).filter { !declared.contains($0) }
    let brokers = SettingsDocument.brokerSchemes.filter { !declared.contains($0) }
    let own = schemes.filter {
      !(SettingsDocument.querySchemes + SettingsDocument.brokerSchemes).contains($0.lowercased())
    }
    let twins = twins(of: own, beside: schemes + needed, at: path, &file)
    let count = (found?.array?.count ?? 0) + needed.count + brokers.count
    let room = max(0, Self.mostQuerySchemes - count)
    let changes: [(SettingsRule, [String])] = [
      (.missingQuerySchemes, needed), (.missingBrokerSchemes, brokers), (.missingTwinScheme, Array(twins.prefix(room))),
    ]
    if found == nil {
      // One new list; its changes are distinguished.
      let new = changes.flatMap(\.1)
      file.add(
        new, to: Self.queriesKey, in: PropertyListPath(), .missingQuerySchemes,
        reason: [SettingsRule.missingQuerySchemes, .missingBrokerSchemes].map(\.meaning).joined(separator: " "))
    } else {
      for (rule, new) in changes { file.add(new, to: Self.queriesKey, in: PropertyListPath(), rule) }
    }
    if twins.count > room {
      file.addNote(
        at: path,
        "no room for \(twins.count - room) twin\(twins.count - room == 1 ? "" : "s"), such as \(PropertyListExcerpt.quoted(twins[room])): the system looks up \(Self.mostQuerySchemes) schemes",
        remedy: "remove schemes that the app does not ask for, or ask isURLAllowed with isKnownManagedAppScheme")
    }
    if count > Self.mostQuerySchemes {
      file.addNote(
        at: path,
        "with those that the SDK asks for there are \(count) schemes, and the system looks up \(Self.mostQuerySchemes)",
        remedy: "remove schemes that the app does not ask for")
    }
  }

  // MARK: Schemes that open the app

  /// redirectWithoutURLType, and the twins of the schemes that open the app
  private func repairURLSchemes(_ document: SettingsDocument, _ file: inout FileRepair) {
    let key = "CFBundleURLTypes"
    let path = PropertyListPath([.key(key)])
    let found = file.value(at: path)
    if let found, found.array == nil {
      return file.addNote(
        at: path, "a list is needed, and \(PropertyListExcerpt.phrase(found)) was found",
        remedy: "write <array>…</array>")
    }
    let lists = (found?.array ?? []).indices.compactMap { index -> (path: PropertyListPath, schemes: [String])? in
      let type = path.appending(.element(index))
      guard let list = file.value(at: type.appending(.key("CFBundleURLSchemes")))?.array else { return nil }
      return (type, list.compactMap(\.string))
    }
    var all = lists.flatMap(\.schemes)
    let redirect = missingRedirect(document, all, &file)
    if let redirect { all.append(redirect) }
    let reason = "Another managed app opens this one by the twin of a scheme, which ends in -intunemam."
    let source = "S000 Share Data via UIActivityViewController, step 1"
    for (index, list) in lists.enumerated() {
      let place = list.path.appending(.key("CFBundleURLSchemes"))
      if let redirect, index == 0 {
        file.add([redirect], to: "CFBundleURLSchemes", in: list.path, .redirectWithoutURLType)
      }
      let links = list.schemes.filter { Self.webSchemes.contains($0.lowercased()) }
      for link in links where !all.contains(where: { $0.lowercased() == link.lowercased() + Self.managedSuffix }) {
        file.addNote(
          at: place, "the twin of \(PropertyListExcerpt.quoted(link)) opens web links in a managed browser",
          remedy: "add \(PropertyListExcerpt.quoted(link + Self.managedSuffix)) only if the app is one")
      }
      let own = list.schemes.filter { !links.contains($0) } + (index == 0 ? [redirect].compactMap(\.self) : [])
      let twins = twins(of: own, beside: all, at: place, &file)
      all += twins
      file.add(twins, to: "CFBundleURLSchemes", in: list.path, nil, reason: reason, source: source)
    }
    if let redirect, lists.isEmpty {
      let schemes = PropertyListEdit.Addition.list([.text(redirect), .text(redirect + Self.managedSuffix)])
      let type = PropertyListEdit.Addition.dictionary([.init("CFBundleURLSchemes", schemes)])
      file.change(
        found == nil
          ? PropertyListEdit(PropertyListPath(), .add(.init(key, .list([type]))))
          : PropertyListEdit(path, .append([type])),
        .redirectWithoutURLType,
        "add \(PropertyListExcerpt.quoted(redirect)), \(PropertyListExcerpt.quoted(redirect + Self.managedSuffix))")
    }
  }

  /// The scheme of the redirect, if no link type has it; only the part before the colon is one.
  private func missingRedirect(
    _ document: SettingsDocument, _ schemes: [String], _ file: inout FileRepair
  ) -> String? {
    let settings = document.settings
    let key = settings.redirectURI == nil ? "ADALRedirectScheme" : "ADALRedirectUri"
    let path = PropertyListPath([.key(SettingsDocument.dictionaryKey), .key(key)])
    guard let scheme = settings.redirectURI.map({ String($0.prefix { $0 != ":" }) }) ?? settings.redirectScheme,
      !scheme.isEmpty, !schemes.contains(where: { $0.lowercased() == scheme.lowercased() })
    else { return nil }
    guard !scheme.hasBuildVariable else {
      file.addNote(
        at: path,
        "whether CFBundleURLTypes has the scheme \(PropertyListExcerpt.quoted(scheme)) depends on build variables",
        remedy: "add the part before the colon to CFBundleURLTypes if none of its schemes stands for it")
      return nil
    }
    guard SettingForm.isScheme(scheme[...]) else {
      file.addNote(
        at: path, "\(PropertyListExcerpt.quoted(scheme)) is not a URL scheme",
        remedy: "write a letter, then letters, digits, +, - and .")
      return nil
    }
    let identifier = document.bundleIdentifier
    let resolved = schemes.map { BuildVariable.resolving($0, identifier: identifier) }
    guard !resolved.contains(where: { $0.lowercased() == scheme.lowercased() }) else { return nil }
    if let open = resolved.first(where: \.hasBuildVariable) {
      file.addNote(
        at: path,
        "\(PropertyListExcerpt.quoted(open)) in CFBundleURLTypes may stand for the scheme \(PropertyListExcerpt.quoted(scheme))",
        remedy: "add \(PropertyListExcerpt.quoted(scheme)) to CFBundleURLTypes if it does not")
      return nil
    }
    return scheme
  }

  // MARK: Face ID

  /// missingFaceIDText
  private func repairFaceIDText(_ document: SettingsDocument, _ file: inout FileRepair) {
    let key = "NSFaceIDUsageDescription"
    let path = PropertyListPath([.key(key)])
    let action = "add \(PropertyListExcerpt.quoted(options.faceIDText))"
    switch file.value(at: path) {
    case nil:
      file.change(
        PropertyListEdit(PropertyListPath(), .add(.init(key, .text(options.faceIDText)))), .missingFaceIDText, action)
    case let value? where value.string != nil:
      guard value.string?.isEmpty ?? false else { return }
      file.change(PropertyListEdit(path, .replace(.text(options.faceIDText))), .missingFaceIDText, action)
    case let value?:
      file.addNote(
        at: path, "text is needed, and \(PropertyListExcerpt.phrase(value)) was found",
        remedy: "write <string>…</string>")
    }
  }
}
