/// Texts in the order of their first use, each once.
public struct InternedTexts: Sendable {
  /// The texts.
  public private(set) var texts: [String] = []
  /// How often each is used.
  public private(set) var uses: [UInt32] = []
  private var places: [String: Int32] = [:]

  /// The place of a text, as it is shown: hidden characters are spelled out, and the end of a very long text is left out.
  mutating func place(of text: String) -> Int32 {
    if let place = places[text] {
      uses[Int(place)] &+= 1
      return place
    }
    let place = Int32(clamping: texts.count)
    places[text] = place
    texts.append(VisibleText.of(text, limit: Timeline.maximumText))
    uses.append(1)
    return place
  }
}
