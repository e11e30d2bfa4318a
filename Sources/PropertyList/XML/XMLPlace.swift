/// Where a value stands in an XML text, in byte indexes of its source.
struct XMLPlace {
  /// The places of the elements or entries of a container.
  struct Children {
    /// Where the first begins; `nil` if there is none.
    var first: Int?
    /// Where the last begins.
    var last: Int?
    /// Where the value of the last entry begins; `nil` in an array.
    var lastValue: Int?
  }

  /// From the `<` of its first tag to the `>` of its last.
  var whole: Range<Int>
  /// What stands between its tags; empty after an empty tag.
  var content: Range<Int>
  /// Whether it is one tag, such as `<array/>`.
  var isEmptyTag: Bool
  /// What a container holds.
  var children = Children()
  /// For a string: where each byte of its text comes from.
  var origins: [Int] = []
}
