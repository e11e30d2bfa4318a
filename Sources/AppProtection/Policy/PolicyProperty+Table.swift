extension PolicyProperty {
  /// The property table: every setting, in the order of the wire numbers.
  ///
  /// Numbers are permanent: the number of one setting is never given to another. Each group has its own range with room
  /// in it; 1 to 9 belong to the document itself, and numbers after 239 are free.
  public static let all: [PolicyProperty] =
    about + targeting + dataTransfer + redirection + surfaces + encryption + access + conditionalLaunch + defaultPolicy

  /// The row with this name in Graph, compared code point by code point.
  public static func named(_ name: String) -> PolicyProperty? {
    guard let index = indexByName[name], all[index].name.utf8.elementsEqual(name.utf8) else { return nil }
    return all[index]
  }

  /// The row with this number on the wire.
  public static func numbered(_ number: Int) -> PolicyProperty? {
    let byNumber = byNumber
    return byNumber.indices.contains(number) ? byNumber[number] : nil
  }

  /// The name of the setting whose value, or a part of it, has this path in a state: `/policies/a1/pinRequired`. `nil` for
  /// anything else, such as what describes a policy and to whom it applies.
  static func setting(atPath path: String) -> Substring? {
    var names = path.split(separator: "/", maxSplits: 3).dropFirst(2)
    guard let name = names.popFirst(), let property = named(String(name)), property.isSetting else { return nil }
    return name
  }

  /// Whether it demands something, and does not describe the policy or its targets.
  package var isSetting: Bool { number >= Self.firstSetting }

  /// The lowest number of a setting: those below describe the policy and its targets.
  private static let firstSetting = 50

  private static let indexByName = Dictionary(uniqueKeysWithValues: all.enumerated().map { ($1.name, $0) })
  private static let byNumber: [PolicyProperty?] = {
    var rows = [PolicyProperty?](repeating: nil, count: 1 + (all.map(\.number).max() ?? 0))
    assert(all.isAscending { $0.number < $1.number }, "two settings have one number, or they are not in order")
    for property in all { rows[property.number] = property }
    return rows
  }()
}
