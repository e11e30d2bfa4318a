import PropertyList

/// What entitlements need.
extension SettingsRepair {
  /// missingKeychainGroup, keychainGroupOrder
  func repair(_ entitlements: EntitlementsDocument, of document: SettingsDocument?) -> FileRepair {
    var file = FileRepair(entitlements.file, entitlements.root)
    let key = EntitlementsDocument.keychainGroupsKey
    let path = PropertyListPath([.key(key)])
    if let found = file.value(at: path), found.array == nil {
      file.addNote(
        at: path, "a list is needed, and \(PropertyListExcerpt.phrase(found)) was found",
        remedy: "write <array>…</array>")
      return file
    }
    let elements = file.value(at: path)?.array ?? []
    let written = elements.compactMap(\.string)
    guard written.count == elements.count else {
      file.addNote(at: path, "an element of the list is not text", remedy: "write <string>…</string>")
      return file
    }
    let groups = written.map(EntitlementsDocument.withoutPrefix)
    guard !groups.contains("*") else { return file }
    let needed = EntitlementsDocument.neededKeychainGroups(of: document)
    let prefix = prefix(entitlements, written, groups)
    let isLiteral = !prefix.hasBuildVariable
    // What is not built yet may take its identifier from the build settings.
    let identifier =
      document?.bundleIdentifier
      ?? (isLiteral ? identifier(of: entitlements) : "$(CFBundleIdentifier)")
    let missing = needed.filter { !groups.contains($0) }
    let isForeignFirst = groups.first.map { needed.contains($0) || $0.hasPrefix("com.microsoft.intune.mam") } ?? true
    if isForeignFirst, !missing.isEmpty || !groups.isEmpty {
      guard let identifier else {
        file.addNote(
          at: path, "the file does not tell the bundle identifier, which comes first in the list",
          remedy: "give the Info.plist too")
        // After another group, the SDK's do no harm.
        if !groups.isEmpty {
          file.add(missing.map { prefix + $0 }, to: key, in: PropertyListPath(), .missingKeychainGroup)
        }
        return file
      }
      putFirst(prefix + identifier, identifier, groups, written, missing.map { prefix + $0 }, &file)
      return file
    }
    file.add(missing.map { prefix + $0 }, to: key, in: PropertyListPath(), .missingKeychainGroup)
    if let first = groups.first, let own = document?.bundleIdentifier, !first.hasBuildVariable, first != own {
      file.addNote(
        at: path,
        "new items go to the first group, \(PropertyListExcerpt.quoted(first)), which is not the bundle identifier",
        remedy: "put \(PropertyListExcerpt.quoted(prefix + own)) before it unless older versions keep their items there"
      )
    }
    return file
  }

  /// Makes the app's own group the first: new items go there, and an app whose first group is the SDK's is unpredictable.
  private func putFirst(
    _ own: String, _ identifier: String, _ groups: [String], _ written: [String], _ missing: [String],
    _ file: inout FileRepair
  ) {
    let key = EntitlementsDocument.keychainGroupsKey
    let path = PropertyListPath([.key(key)])
    guard !groups.isEmpty else {
      file.add([own] + missing, to: key, in: PropertyListPath(), .missingKeychainGroup)
      return
    }
    if let place = groups.firstIndex(where: { $0 == identifier || BuildVariable.isIdentifier($0) }) {
      file.plan(PropertyListEdit(path.appending(.element(place)), .replace(.text(written[0]))))
      file.change(
        PropertyListEdit(path.appending(.element(0)), .replace(.text(written[place]))), .keychainGroupOrder,
        "exchange \(PropertyListExcerpt.quoted(written[0])) and \(PropertyListExcerpt.quoted(written[place]))")
    } else {
      file.change(
        PropertyListEdit(path, .prepend([.text(own)])), .keychainGroupOrder,
        "add \(PropertyListExcerpt.quoted(own)) before the others")
    }
    file.add(missing, to: key, in: PropertyListPath(), .missingKeychainGroup)
  }

  /// The prefix of the groups: that of the first that has one, or the variable for it.
  private func prefix(_ entitlements: EntitlementsDocument, _ written: [String], _ groups: [String]) -> String {
    for (whole, group) in zip(written, groups) where whole != group { return String(whole.dropLast(group.count)) }
    let signed = entitlements.root.dictionary?[EntitlementsDocument.identifierKey]?.string ?? ""
    let bare = EntitlementsDocument.withoutPrefix(signed)
    return bare == signed ? "$(AppIdentifierPrefix)" : String(signed.dropLast(bare.count))
  }

  /// The bundle identifier that signing wrote into entitlements.
  private func identifier(of entitlements: EntitlementsDocument) -> String? {
    let signed = entitlements.root.dictionary?[EntitlementsDocument.identifierKey]?.string
    return signed.map(EntitlementsDocument.withoutPrefix).flatMap { $0.isEmpty || $0.contains("*") ? nil : $0 }
  }
}
