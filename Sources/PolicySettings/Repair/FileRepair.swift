import PropertyList

/// What a repair does to one file.
public struct FileRepair: Sendable {
  /// The file as named by the caller; `nil` if there is none.
  public let file: String?
  /// The changes, in the order in which they were found necessary.
  public private(set) var changes: [SettingsChange] = []
  /// What is left to the owner of the file.
  public private(set) var notes: [SettingsRepairNote] = []
  /// The changes as edits of the property list.
  public private(set) var edits: [PropertyListEdit] = []

  let root: PropertyListValue

  init(_ file: String?, _ root: PropertyListValue) {
    self.file = file
    self.root = root
  }

  /// The contents of the file after the repair; the same bytes if nothing changes.
  ///
  /// - Throws: ``/PropertyList/PropertyListError`` if the file has a key that occurs twice in a dictionary, or cannot be
  ///   changed without changing something else. Then nothing of the repair should be applied.
  public func applied(to bytes: [UInt8]) throws(PropertyListError) -> [UInt8] {
    try PropertyList.edited(bytes, by: edits)
  }

  // MARK: Planning

  /// Plans an edit that another change speaks of.
  mutating func plan(_ edit: PropertyListEdit) {
    edits.append(edit)
  }

  /// Says what edits do that were planned before.
  mutating func explain(_ rule: SettingsRule, at path: PropertyListPath, _ action: String) {
    changes.append(
      SettingsChange(
        rule: rule, position: position(of: path), path: path, action: action, reason: rule.meaning, source: rule.source)
    )
  }

  /// Plans an edit, and says what it does and why.
  mutating func change(
    _ edit: PropertyListEdit, _ rule: SettingsRule?, _ action: String, reason: String? = nil, source: String? = nil
  ) {
    plan(edit)
    var path = edit.path
    if case .add(let entry) = edit.action { path = path.appending(.key(entry.key)) }
    changes.append(
      SettingsChange(
        rule: rule, position: position(of: edit.path), path: path, action: action,
        reason: reason ?? rule?.meaning ?? "", source: source ?? rule?.source ?? ""))
  }

  /// Adds texts to a list in a dictionary; creates the list if it is missing.
  ///
  /// - Returns: Whether that was possible: what stands there must be a list.
  @discardableResult
  mutating func add(
    _ texts: [String], to key: String, in parent: PropertyListPath, _ rule: SettingsRule?, reason: String? = nil,
    source: String? = nil
  ) -> Bool {
    guard !texts.isEmpty else { return true }
    let path = parent.appending(.key(key))
    let additions = texts.map { PropertyListEdit.Addition.text($0) }
    let action = "add " + texts.map(PropertyListExcerpt.quoted).joined(separator: ", ")
    switch value(at: path) {
    case nil:
      change(PropertyListEdit(parent, .add(.init(key, .list(additions)))), rule, action, reason: reason, source: source)
    case let value? where value.array != nil:
      change(PropertyListEdit(path, .append(additions)), rule, action, reason: reason, source: source)
    case let value?:
      addNote(
        at: path, "a list is needed, and \(PropertyListExcerpt.phrase(value)) was found",
        remedy: "write <array>…</array>")
      return false
    }
    return true
  }

  /// Leaves something to the owner.
  mutating func addNote(at path: PropertyListPath, _ message: String, remedy: String) {
    notes.append(SettingsRepairNote(position: position(of: path), path: path, message: message, remedy: remedy))
  }

  /// The value at a path; `nil` if there is none.
  func value(at path: PropertyListPath) -> PropertyListValue? {
    path.components.reduce(root as PropertyListValue?) { value, component in
      switch component {
      case .key(let key): value?.dictionary?[key]
      case .element(let index): value?.array.flatMap { $0.indices.contains(index) ? $0[index] : nil }
      }
    }
  }

  /// Where a value begins, with its key; for a missing one, where what would contain it begins.
  private func position(of path: PropertyListPath) -> PropertyListPosition {
    var position = root.position
    var value: PropertyListValue? = root
    for component in path.components {
      switch component {
      case .key(let key):
        guard let entry = value?.dictionary?.entry(key) else { return position }
        (position, value) = (entry.position, entry.value)
      case .element(let index):
        guard let elements = value?.array, elements.indices.contains(index) else { return position }
        (position, value) = (elements[index].position, elements[index])
      }
    }
    return position
  }
}
