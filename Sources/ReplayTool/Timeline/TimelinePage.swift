import CommandSupport
import Forensics
import PageAssets

/// The page of a timeline: one HTML file with its style, its script and its data.
///
/// Its policy lets the browser run this script and use this style alone, by their digests, and load nothing.
enum TimelinePage {
  /// The page.
  static func bytes(_ data: TimelineData, _ heading: TimelineData.Heading) -> [UInt8] {
    let script = PageAssets.timelineScript
    var bytes: [UInt8] = []
    bytes.reserveCapacity(data.byteCount + data.byteCount / 64 + 131_072)
    bytes.append(HTMLText.head(title: heading.title + " – timeline", style: PageAssets.timelineStyle, script: script))
    bytes.append(PageAssets.timelineBody)
    append(data.overview, id: "overview", to: &bytes)
    for (index, part) in data.details.enumerated() { append(part, id: "events-\(index)", to: &bytes) }
    append(data.answers, id: "answers", to: &bytes)
    bytes.append("<script>\(script)</script>\n</body>\n</html>\n")
    return bytes
  }

  private static func append(_ json: [UInt8], id: String, to bytes: inout [UInt8]) {
    bytes.append("<script type=\"application/json\" id=\"\(id)\">")
    bytes += json
    bytes.append("</script>\n")
  }
}
