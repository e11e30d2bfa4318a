import Expectations
import Testing

@testable import Journal

/// What headers, footers and HEAD say of a journal whose events are not all read.
@Suite("The outline of a journal")
struct OutlineTests {
  private func outline(_ files: [String: [UInt8]]) -> JournalOutline? {
    try? JournalReader(path: SampleJournal.path, fileSystem: MemoryFileSystem(files)).outline()
  }

  @Test("A sound journal is outlined without reading its middle", arguments: [true, false])
  func sound(isClosed: Bool) throws {
    let sample = try SampleJournal(count: 400, closing: isClosed)
    let reader = try JournalReader(path: SampleJournal.path, fileSystem: sample.fileSystem)
    var noting = reader
    noting.coverage = ReadCoverage()
    #expect(reader.segments.count > 5)
    expectEqual(noting.outline()?.events, 1...400)
    let unread = try #require(noting.coverage?.unread(of: 1...400))
    #expect(unread.count == 1 && unread.first?.lowerBound == 1 && unread.first?.upperBound ?? 0 > 300, "\(unread)")
    var cursor = try noting.cursor(after: 99)
    while let item = try cursor.next() {
      if case .event(let event) = item, event.sequence == 120 { break }
    }
    let rest = try #require(noting.coverage?.unread(of: 1...400))
    #expect(rest.count == 2 && !rest.contains { $0.contains(100) || $0.contains(120) }, "\(rest)")
    #expect(try reader.verify().findings.isEmpty)
  }

  @Test("Whatever is changed in a header, a footer or HEAD leaves no outline, and so does a missing file")
  func damaged() throws {
    let sample = try SampleJournal(count: 200)
    let segments = sample.files.keys.filter { $0.hasSuffix(".seg") }.sorted()
    expectEqual(outline(sample.files)?.events, 1...200)
    for (place, name) in segments.enumerated() {
      let bytes = try #require(sample.files[name])
      let end = place + 1 < segments.count ? [-1, -9, -20, -40, -60] : []
      for index in Array(stride(from: 0, to: Format.segmentHeaderSize, by: 3)) + end {
        var files = sample.files
        files[name]?[index < 0 ? bytes.count + index : index] ^= 0x20
        #expect(outline(files) == nil, "\(name), byte \(index)")
      }
      for length in [0, 50, bytes.count / 2, bytes.count - 1] {
        var files = sample.files
        files[name] = Array(bytes[..<length])
        #expect(outline(files) == nil, "\(name), the first \(length) bytes")
      }
      var files = sample.files
      files[name] = nil
      #expect(outline(files) == nil, "without \(name)")
    }
    for name in ["HEAD", "JOURNAL"] {
      var files = sample.files
      files["\(SampleJournal.path)/\(name)"] = nil
      #expect(outline(files) == nil, "without \(name)")
    }
  }

  @Test("Stretches that overlap or touch are one stretch")
  func coverage() {
    let coverage = ReadCoverage()
    #expect(coverage.unread(of: 1...9) == [1...9])
    for range: ClosedRange<UInt64> in [5...6, 20...30, 7...7, 1...2, 31...31, 15...19] { coverage.add(range) }
    #expect(coverage.unread(of: 1...40) == [3...4, 8...14, 32...40])
    #expect(coverage.unread(of: 16...25).isEmpty)
    coverage.add(2...40)
    #expect(coverage.unread(of: 1...40).isEmpty)
    expectEqual(coverage.unread(of: 30...45), [41...45])
  }
}
