/// The members of a JSON object, in the order in which they stand in the text.
///
/// Names are compared by their code points, not by what they look like: `é` as one code point and as two are different
/// names. Looking up a member takes time proportional to the number of members.
public struct JSONObject: Sendable {
  /// One member.
  public struct Member: Sendable {
    /// The name, unescaped.
    public var name: String
    /// Where the name begins.
    public var position: JSONPosition
    /// The value.
    public var value: JSONValue

    /// Creates a member.
    public init(_ name: String, _ value: JSONValue, at position: JSONPosition = .none) {
      self.name = name
      self.position = position
      self.value = value
    }
  }

  /// The members in order. Their names are unique.
  public private(set) var members: [Member] = []

  /// Creates an empty object.
  public init() {}

  /// Creates an object. Of several members with one name the last stays, at the place of the first.
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

  /// For the parser, which has checked that names are unique.
  init(unique members: [Member]) {
    self.members = members
  }

  /// How many members there are.
  public var count: Int { members.count }

  /// The value of a member. Setting replaces it, appends it, or (with `nil`) removes it.
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

  /// The first member whose name is `name` when upper and lower case ASCII letters count as the same.
  public func member(ignoringCase name: String) -> Member? {
    let wanted = name.lowercased()
    return members.first { $0.name.lowercased().utf8.elementsEqual(wanted.utf8) }
  }

  private func index(of name: String) -> Int? {
    members.firstIndex { $0.name.utf8.elementsEqual(name.utf8) }
  }
}

extension JSONObject: Equatable {
  /// Whether both have the same members in the same order. Positions do not count.
  public static func == (one: JSONObject, other: JSONObject) -> Bool {
    one.members.count == other.members.count
      && zip(one.members, other.members).allSatisfy { $0.name.utf8.elementsEqual($1.name.utf8) && $0.value == $1.value }
  }
}
