import PropertyList

/// What an extension's activation rule needs.
extension SettingsRepair {
  /// activationRuleWithoutTypes
  func repairActivationRule(_ document: SettingsDocument, _ file: inout FileRepair) {
    let path = PropertyListPath([
      .key("NSExtension"), .key("NSExtensionAttributes"), .key("NSExtensionActivationRule"),
    ])
    guard let rule = document.activationRule else { return }
    if let dictionary = rule.dictionary { return repair(dictionary, at: path, &file) }
    guard let predicate = rule.string else { return }
    if predicate.uppercased().filter({ !$0.isWhitespace }) == "TRUEPREDICATE" {
      return file.addNote(
        at: path, "TRUEPREDICATE accepts everything, and the App Store takes no extension with it",
        remedy: "write a predicate with the types that the extension takes")
    }
    let parsed = ActivationPredicate(predicate)
    let known = Set(parsed.quotedTexts)
    let prefix = SettingsDocument.managedTypePrefix
    var added: [String] = []
    for comparison in parsed.comparisons
    where !comparison.type.hasPrefix(prefix) && !known.contains(prefix + comparison.type) {
      let twin = comparison.beginning + comparison.quote + prefix + comparison.type + comparison.quote
      let isPlain = comparison.isAlternative
      if !added.contains(prefix + comparison.type) { added.append(prefix + comparison.type) }
      let end = PropertyListEdit.Action.insert(
        " || \(twin)\(isPlain ? "" : ")")", atByte: comparison.range.upperBound)
      if isPlain {
        insert([end], path, &file)
      } else {
        insert([.insert("(", atByte: comparison.range.lowerBound), end], path, &file)
      }
    }
    if !added.isEmpty {
      file.explain(
        .activationRuleWithoutTypes, at: path, "add " + added.map(PropertyListExcerpt.quoted).joined(separator: ", "))
    }
    let handled = known.union(added)
    let left = known.filter { !$0.hasPrefix(prefix) && !handled.contains(prefix + $0) }
    if !left.isEmpty {
      file.addNote(
        at: path,
        "whether \(left.sorted().prefix(8).map(PropertyListExcerpt.quoted).joined(separator: ", ")) is a type that an attachment may have does not show",
        remedy: "add the twins of types by hand, with \(prefix) before each")
    } else if known.isEmpty {
      file.addNote(
        at: path, "the predicate names no type", remedy: "add the types that the app shares, with \(prefix) before each"
      )
    }
  }

  private func insert(_ actions: [PropertyListEdit.Action], _ path: PropertyListPath, _ file: inout FileRepair) {
    for action in actions { file.plan(PropertyListEdit(path, action)) }
  }

  private func repair(_ dictionary: PropertyListDictionary, at path: PropertyListPath, _ file: inout FileRepair) {
    guard options.convertsRules else {
      return file.addNote(
        at: path, "a dictionary cannot name the SDK's types, and how the system reads one is not fully published",
        remedy: "write a predicate, or let pj settings fix --convert-rules write one and try it")
    }
    guard let predicate = ActivationRuleConversion.predicate(of: dictionary) else {
      return file.addNote(
        at: path, "the dictionary has a key or a value that no predicate is known for", remedy: "write a predicate")
    }
    file.change(
      PropertyListEdit(path, .replace(.text(predicate))), .activationRuleWithoutTypes,
      "replace the dictionary by a predicate")
    file.addNote(
      at: path, "how the system reads the dictionary is not fully published",
      remedy: "share each kind of data with the extension, alone and together, before it is released")
  }
}
