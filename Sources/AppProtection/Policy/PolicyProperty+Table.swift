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

  private static let indexByName = Dictionary(uniqueKeysWithValues: all.enumerated().map { ($1.name, $0) })
  private static let byNumber: [PolicyProperty?] = {
    var rows = [PolicyProperty?](repeating: nil, count: 1 + (all.map(\.number).max() ?? 0))
    for property in all { rows[property.number] = property }
    return rows
  }()
}
