/// The members of a JSON object, in the order of the text.
///
/// Names are compared by code points, not by appearance: `é` as one code point and as two are different names. Looking
/// up a member takes time proportional to the number of members.
public struct JSONObject: Sendable {
  /// One member.
  public struct Member: Sendable {
    /// The name, unescaped.
    public var name: String
    /// Where the name begins.
    public var position: JSONPosition
    /// What stands after the colon.
    public var value: JSONValue

    /// Omit `position` for a member that does not come from a text.
    public init(_ name: String, _ value: JSONValue, at position: JSONPosition = .none) {
      self.name = name
      self.position = position
      self.value = value
    }
  }

  /// The members in order, with unique names.
  public private(set) var members: [Member] = []

  /// Creates an empty object.
  public init() {}

  /// Of several members with the same name, the last one is kept, in the place of the first.
  public init(_ members: [Member]) {
    var places: [ExactName: Int] = [:]
    for member in members {
      if let place = places[ExactName(text: member.name)] {
        self.members[place] = member
      } else {
        places[ExactName(text: member.name)] = self.members.count
        self.members.append(member)
      }
    }
  }

  /// For the parser, which has already checked that names are unique.
  init(unique members: [Member]) {
    self.members = members
  }

  /// Number of members.
  public var count: Int { members.count }

  /// The value of a member. Setting it replaces the member, appends it, or (with `nil`) removes it.
  public subscript(name: String) -> JSONValue? {
    get { index(of: name).map { members[$0].value } }
    set {
      switch (index(of: name), newValue) {
      case (let index?, let value?): members[index].value = value
      case (let index?, nil): members.remove(at: index)
      case (nil, let value?): members.append(Member(name, value))
      case (nil, nil): break
      }
    }
  }

  /// The first member named `name`, ignoring the case of ASCII letters.
  public func member(ignoringCase name: String) -> Member? {
    let wanted = name.lowercased()
    return members.first { $0.name.lowercased().utf8.elementsEqual(wanted.utf8) }
  }

  private func index(of name: String) -> Int? {
    members.firstIndex { $0.name.utf8.elementsEqual(name.utf8) }
  }
}

extension JSONObject: Equatable {
  /// Whether both have the same members in the same order. Positions are ignored.
  public static func == (one: JSONObject, other: JSONObject) -> Bool {
    one.members.count == other.members.count
      && zip(one.members, other.members).allSatisfy { $0.name.utf8.elementsEqual($1.name.utf8) && $0.value == $1.value }
  }
}
