import EventSourcing
import JSON
import Journal

/// Reads an export: decompresses it within limits, verifies each record, and stops at the first one that does not verify.
public struct ExportReader {
  let limits: ExportFormat.Limits
  var history: ExportedHistory?
  /// Of the lines before the one at hand, and of the events.
  var checksum = ExportChecksum()
  var content = ExportChecksum()
  /// The number of the line at hand, from 1.
  private(set) var line = 0
  var isEnded = false
  var budget: ExportBudget

  /// Why reading ends.
  enum Halt: Error {
    /// Something does not verify: what precedes it counts.
    case stop(String)
    /// Nothing of the file counts.
    case refuse(ExchangeError)
  }

  private init(_ limits: ExportFormat.Limits) {
    self.limits = limits
    budget = ExportBudget(limits)
  }

  /// Whether bytes can be the beginning of an export, compressed or not.
  public static func mayBeExport(_ bytes: [UInt8]) -> Bool {
    GzipReader.isGzip(bytes) || bytes.starts(with: Array("{\"kind\":\"start\"".utf8))
  }

  /// Reads an export.
  ///
  /// - Throws: ``ExchangeError`` where nothing can be read of it. A file that is damaged or cut after its first record
  ///   gives what precedes that, and ``ExportedHistory/ending`` says so.
  public static func read(
    _ bytes: [UInt8], limits: ExportFormat.Limits = ExportFormat.Limits()
  ) throws(ExchangeError) -> ExportedHistory {
    var reader = ExportReader(limits)
    var cut: String?
    do throws(Halt) {
      try reader.readFile(bytes)
    } catch {
      switch error {
      case .stop(let reason): cut = reason
      case .refuse(let error): throw error
      }
    }
    guard var history = reader.history else {
      throw Self.notAnExport(cut ?? "it has no record")
    }
    if let cut {
      history.ending = .cut(line: reader.line, reason: cut)
    } else if !reader.isEnded {
      history.ending = .cut(line: reader.line + 1, reason: "its last record is missing")
    }
    return history
  }

  private mutating func readFile(_ bytes: [UInt8]) throws(Halt) {
    if let excess = limits.excess(ofFile: bytes.count) { throw .refuse(Self.tooLarge(excess)) }
    guard GzipReader.isGzip(bytes) else {
      guard bytes.isEmpty || bytes.first == UInt8(ascii: "{") else { throw .refuse(Self.noRecord) }
      let used = try readLines(bytes[...])
      guard used == bytes.count else { throw .stop("line \(line + 1) is cut short") }
      return
    }
    let gzip = GzipReader(bytes)
    var rest: [UInt8] = []
    var total = 0
    while let piece = gzip.next() {
      // Another compressed file, such as an archive, has limits of its own.
      guard total > 0 || piece.first == UInt8(ascii: "{") else {
        throw .refuse(Self.noRecord)
      }
      total += piece.count
      if let excess = limits.excess(ofText: total, inFile: bytes.count) { throw .refuse(Self.tooLarge(excess)) }
      rest += piece
      // A piece without the end of a line is not searched again.
      guard rest.count > limits.lineBytes || piece.contains(UInt8(ascii: "\n")) else { continue }
      rest.removeFirst(try readLines(rest[...]))
    }
    switch gzip.ending {
    case .complete, nil: if !rest.isEmpty { throw .stop("line \(line + 1) is cut short") }
    case .cut: throw .stop("the file is cut short")
    case .damaged(let reason): throw .stop(reason)
    }
  }

  private static var noRecord: ExchangeError { notAnExport("it does not begin with a record") }

  static func notAnExport(_ why: String) -> ExchangeError {
    ExchangeError(.notAnExport, "this is not an export: \(why)", remedy: "ask for a file that pj export wrote")
  }

  static func tooLarge(_ why: String) -> ExchangeError {
    ExchangeError(.tooLarge, why, remedy: "ask for an export of a range of the journal")
  }

  /// Reads the whole lines among bytes; returns how many bytes they have.
  private mutating func readLines(_ bytes: ArraySlice<UInt8>) throws(Halt) -> Int {
    var place = bytes.startIndex
    while place < bytes.endIndex {
      let end = bytes[place...].firstIndex(of: UInt8(ascii: "\n"))
      guard (end ?? bytes.endIndex) - place <= limits.lineBytes else { throw .stop("line \(line + 1) is too long") }
      guard let end else { break }
      line += 1
      try readLine(Array(bytes[place..<end]))
      place = end + 1
    }
    return place - bytes.startIndex
  }

  private mutating func readLine(_ bytes: [UInt8]) throws(Halt) {
    guard !isEnded else { throw .stop("line \(line) follows the last record") }
    let node: JSONNode
    let kind: String
    do throws(JSONError) {
      node = try JSONDocument.parse(bytes).root
      kind = try node.required("kind").string()
      if history == nil {
        try readStart(node, kind)
      } else if try !readRecord(node, kind, bytes) {
        try keep(node, kind, bytes)
      }
    } catch {
      throw .stop("line \(line): \(error.message)")
    }
    if let halt { throw halt }
    checksum.add(bytes + [UInt8(ascii: "\n")])
  }

  /// Why the line at hand ends reading, although it is JSON.
  var halt: Halt?
}
