/// Texts of a policy that are lists.
public enum PolicyText {
  /// The entries of a list that is parted by semicolons, without the spaces around them and without empty ones.
  public static func list(_ text: String, separator: Character = ";") -> [String] {
    text.split(separator: separator).compactMap { entry in
      let start = entry.drop { $0 == " " }
      let length = start.reversed().drop { $0 == " " }.count
      return length == 0 ? nil : String(start.prefix(length))
    }
  }
}
