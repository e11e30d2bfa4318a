import EventSourcing
import PropertyList
import PlainText

/// Decodes settings one by one: is the setting known, does its value have the right type and form, and what is it?
extension SettingsDocument {
  mutating func read(_ entry: PropertyListDictionary.Entry) {
    guard let descriptor = SettingDescriptor.named(entry.key) else {
      let possible = SettingDescriptor.all.filter { !isPresent($0.key) && accepts(entry.value, as: $0) }.map(\.key)
      let near =
        SettingDescriptor.untranslated(entry.key).flatMap { possible.contains($0) ? $0 : nil }
        ?? EditDistance.nearest(to: entry.key, in: possible, limit: 1).first
      addFinding(
        .unknownSetting, key: entry.key, at: entry.position, "the guides name no such setting",
        remedy: near.map { "write \($0)" } ?? "remove it, or see which there are: pj settings keys")
      return
    }
    guard let value = value(entry, descriptor) else { return }
    descriptor.write(&settings, value)
    assert(descriptor.read(settings) == value, "\(entry.key) is stored as another type")
    given.append(descriptor)
    assert(Set(given.map(\.key)).count == given.count, "\(entry.key) was read twice")
  }

  /// Whether a value would be right under the key of a setting, tried on a copy.
  private func accepts(_ value: PropertyListValue, as descriptor: SettingDescriptor) -> Bool {
    var trial = self
    return trial.value(PropertyListDictionary.Entry(descriptor.key, value), descriptor) != nil
      && trial.findings.count == findings.count
  }

  /// The value of an entry; `nil`, with a finding, if it has no usable value.
  private mutating func value(
    _ entry: PropertyListDictionary.Entry, _ descriptor: SettingDescriptor
  ) -> SettingValue? {
    let value = entry.value
    switch descriptor.kind {
    case .flag:
      if let flag = value.bool { return .flag(flag) }
      wrongType(entry.key, "true or false", value, remedy: "write <true/> or <false/>")
    case .text(let form):
      return text(value, form, entry.key).map { .text($0) }
    case .color:
      guard let text = text(value, .any, entry.key) else { return nil }
      if let color = SettingColor(text) { return .color(color) }
      addFinding(
        .invalidValue, key: entry.key, at: value.position, "\(PropertyListExcerpt.quoted(text)) is not a color",
        remedy: "write six hexadecimal digits, such as #1A2B3C")
    case .seconds:
      guard let seconds = value.number else {
        wrongType(entry.key, "a number", value, remedy: "write <real>\(InfoPlistSettings().launchScreenSeconds)</real>")
        return nil
      }
      if seconds >= 0, seconds.isFinite { return .seconds(seconds) }
      addFinding(
        .outOfRange, key: entry.key, at: value.position, "\(PropertyListExcerpt.phrase(value)) is not a length of time",
        remedy: "write a number of seconds, 0 or more")
    case .fileProtection:
      guard let text = text(value, .any, entry.key) else { return nil }
      if let level = FileProtectionLevel(rawValue: text) { return .fileProtection(level) }
      let names = FileProtectionLevel.allCases.map(\.rawValue)
      addFinding(
        .invalidValue, key: entry.key, at: value.position,
        "\(PropertyListExcerpt.quoted(text)) is not a level of file protection",
        remedy: EditDistance.nearest(to: text, in: names, limit: 1).first.map { "write \($0)" }
          ?? "write one of \(names.joined(separator: ", "))")
    case .texts(let form):
      return texts(value, form, descriptor).map { .texts($0) }
    }
    return nil
  }

  private mutating func text(_ value: PropertyListValue, _ form: SettingForm, _ key: String) -> String? {
    guard let text = value.string else {
      wrongType(key, "text", value, remedy: "write <string>…</string>")
      return nil
    }
    guard let problem = form.problem(with: text) else { return text }
    addFinding(
      .invalidValue, key: key, at: value.position, "\(PropertyListExcerpt.quoted(text)) \(problem.reason)",
      remedy: problem.remedy)
    return nil
  }

  /// The usable elements. Values of a secret setting are never shown, not even invalid ones.
  private mutating func texts(
    _ value: PropertyListValue, _ form: SettingForm, _ descriptor: SettingDescriptor
  ) -> [String]? {
    guard let elements = value.array else {
      wrongType(
        descriptor.key, "a list of texts", value, isSecret: descriptor.privacy == .secret,
        remedy: "write <array><string>…</string></array>")
      return nil
    }
    var texts: [String] = []
    for (index, element) in elements.enumerated() {
      let isSecret = descriptor.privacy == .secret
      guard let text = element.string else {
        wrongType(
          descriptor.key, "text", element, element: index, isSecret: isSecret, remedy: "write <string>…</string>")
        continue
      }
      guard let problem = form.problem(with: text) else {
        texts.append(text)
        continue
      }
      addFinding(
        .invalidValue, key: descriptor.key, at: element.position,
        "element \(index) \(isSecret && !text.isEmpty ? "" : "\(PropertyListExcerpt.quoted(text)) ")\(problem.reason)",
        remedy: problem.remedy)
    }
    return texts
  }

  private mutating func wrongType(
    _ key: String, _ needed: String, _ value: PropertyListValue, element: Int? = nil, isSecret: Bool = false,
    remedy: String
  ) {
    let found = isSecret ? "something else" : PropertyListExcerpt.phrase(value)
    addFinding(
      .wrongType, key: key, at: value.position,
      "\(element.map { "element \($0): " } ?? "")\(needed) is needed, and \(found) was found", remedy: remedy)
  }

  // MARK: Where settings stand

  mutating func reportMissingDictionary(_ list: PropertyList) {
    let root = list.root
    guard root.dictionary != nil else {
      findings.append(
        SettingsFinding(
          rule: .noSettings, file: file, position: root.position, path: PropertyListPath(),
          message: "a dictionary is needed, and \(PropertyListExcerpt.phrase(root)) was found",
          remedy: "give an Info.plist"))
      return
    }
    if let dictionary {
      addFinding(
        .wrongType, "a dictionary is needed, and \(PropertyListExcerpt.phrase(dictionary.value)) was found",
        remedy: "write <dict>…</dict>")
    } else {
      let path = PropertyListPath([.key(Self.dictionaryKey)])
      findings.append(
        SettingsFinding(
          rule: .noSettings, file: file, position: root.position, path: path,
          message: "the dictionary of the settings is missing", remedy: "add \(Self.dictionaryKey) with a <dict>"))
    }
    checkPlaces()
    checkRepeatedKeys(list)
  }

  /// Finds keys around the settings that occur twice in their dictionaries.
  mutating func checkRepeatedKeys(_ list: PropertyList) {
    for key in list.repeatedKeys {
      findings.append(
        SettingsFinding(
          rule: .repeatedKey, file: file, position: key.position, path: key.path,
          message: "the key occurs twice in one dictionary, and only one of its values counts",
          remedy: "remove one of them"))
    }
  }

  /// Finds settings next to the dictionary instead of in it.
  mutating func checkPlaces() {
    guard let info else { return }
    for entry in info.entries where SettingDescriptor.named(entry.key) != nil {
      addFinding(
        .misplacedSetting, about: entry, entry.key, "a setting outside \(Self.dictionaryKey) has no effect",
        remedy: "move it into \(Self.dictionaryKey)")
    }
    let names = [Self.dictionaryKey]
    for entry in info.entries
    where dictionary == nil && EditDistance.nearest(to: entry.key, in: names, limit: 1).first != nil {
      addFinding(
        .noSettings, about: entry, entry.key, "this may be meant for \(Self.dictionaryKey)",
        remedy: "rename it \(Self.dictionaryKey)")
    }
  }
}
