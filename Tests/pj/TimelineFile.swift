import JSON

/// A page of `pj timeline`, read back.
struct TimelineFile {
  let html: String
  let overview: JSONValue
  /// What is shown of single events, of all parts.
  let details: [[JSONValue]]
  let answers: [JSONValue]

  /// Runs the command and reads what it wrote.
  init(_ journal: String, _ words: [String] = [], in folder: String) throws {
    let path = "\(folder)/page.html"
    try? TestFiles.removeFile(path)
    run = ToolRun(["timeline", journal, "-o", path] + words)
    let bytes = try TestFiles.read(path)
    html = String(decoding: bytes, as: UTF8.self)
    size = bytes.count
    overview = try Self.part("overview", of: html)
    var parts: [[JSONValue]] = []
    while let part = try? Self.part("events-\(parts.count)", of: html) { parts.append(part.array ?? []) }
    details = parts.flatMap { $0.map { $0.array ?? [] } }
    answers = try Self.part("answers", of: html).array ?? []
  }

  let run: ToolRun
  let size: Int

  private static func part(_ id: String, of html: String) throws -> JSONValue {
    let opening = "<script type=\"application/json\" id=\"\(id)\">"
    guard let start = html.firstRange(of: opening),
      let end = html[start.upperBound...].firstRange(of: "</script>")
    else { throw Missing(id: id) }
    return try JSONDocument.parse(Array(html[start.upperBound..<end.lowerBound].utf8)).root.value
  }

  struct Missing: Error {
    let id: String
  }

  /// A list of the overview.
  func list(_ name: String) -> [JSONValue] { overview.object?[name]?.array ?? [] }

  /// A list of numbers of the overview.
  func numbers(_ name: String) -> [Int] { list(name).compactMap { $0.int } }

  /// A text, given itself or by its place.
  func text(_ value: JSONValue) -> String {
    if let text = value.string { return text }
    let place: Int? = value.int
    return place.flatMap { list("texts").indices.contains($0) ? list("texts")[$0].string : nil } ?? "?"
  }

  /// The numbers of the events.
  var sequences: [Int] {
    let pairs = numbers("sequences")
    var (result, next): ([Int], Int) = ([], 0)
    for index in numbers("kind").indices {
      for place in stride(from: 0, to: pairs.count, by: 2) where pairs[place] == index { next = pairs[place + 1] }
      result.append(next)
      next += 1
    }
    return result
  }

  /// The times of the events, in microseconds since 1970.
  var times: [Int] {
    let pairs = numbers("clock")
    var (place, offset) = (0, 0)
    return numbers("axis").enumerated().map { index, step in
      place += step
      for entry in stride(from: 0, to: pairs.count, by: 2) where pairs[entry] == index { offset = pairs[entry + 1] }
      return place + offset
    }
  }

  /// The types of the events.
  var types: [String] {
    let names = list("kinds").map { $0.array?.first?.string ?? "" }
    return numbers("kind").map { names[$0] }
  }

  /// The labels of the lanes, each after its group.
  var lanes: [String] {
    let groups = list("groups").map { $0.string ?? "" }
    return list("lanes").map { lane in
      let group: Int = lane.array?.first?.int ?? 0
      return "\(groups[group]) / \(lane.array?.last?.string ?? "")"
    }
  }

  /// The spans of a lane: the value, its tone, and the events at which it began and ended.
  func spans(on lane: String) -> [String] {
    let tones = list("tones").map { $0.string ?? "" }
    let numbers = numbers("spans")
    let sequences = sequences
    func name(_ index: Int) -> String { index < 0 ? "–" : String(sequences[index]) }
    return stride(from: 0, to: numbers.count, by: 5).compactMap { at in
      guard lanes[numbers[at]] == lane else { return nil }
      let value = text(JSONValue.number(numbers[at + 1]))
      return "\(value) \(tones[numbers[at + 2]]) \(name(numbers[at + 3]))..\(name(numbers[at + 4]))"
    }
  }

  /// The rows of an event's section, each as its cells.
  func rows(_ title: String, of index: Int) -> [[String]] {
    for part in details[index].dropFirst(2) {
      guard let cells = part.array, let first = cells.first, text(first) == title,
        let width: Int = cells[1].int
      else { continue }
      let texts = cells.dropFirst(2).map(text)
      return stride(from: 0, to: texts.count, by: width).map { Array(texts[$0..<min($0 + width, texts.count)]) }
    }
    return []
  }

  /// The marks: kind, tone, title and the number of the event at which each stands.
  var marks: [String] {
    list("marks").map { mark in
      let parts = mark.array ?? []
      let place: Int = parts.count > 5 ? parts[5].int ?? -1 : -1
      let event = sequences.indices.contains(place) ? "\(sequences[place])" : "end"
      return "\(parts[0].string ?? "") \(parts[1].string ?? "") \(parts[2].string ?? "") @\(event)"
    }
  }
}

extension JSONValue {
  /// The value as a whole number.
  var int: Int? { number?.integer(Int.self) }
}
