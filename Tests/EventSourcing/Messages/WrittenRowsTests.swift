import Expectations
import Testing
import WireFormat

@testable import EventSourcing

@Suite("Digests of small tables, in which most rows stay")
struct WrittenRowsTests {
  private struct Note: TableRow, FieldList {
    var key: UInt64
    var text = ""
    var tags: [String] = []

    static var blank: Self { Self(key: 0) }

    static func visit<V: FieldVisitor>(_ note: inout Self, _ field: inout V) throws(V.Failure) {
      try field(1, "key", &note.key, required: true, shown: false)
      try field(2, "text", &note.text)
      try field(3, "tags", &note.tags)
    }
  }

  private struct Page: FieldList {
    var notes = StateTable<Note>()
    var marks = StateTable<Note>()

    static var blank: Self { Self() }

    static func visit<V: FieldVisitor>(_ page: inout Self, _ field: inout V) throws(V.Failure) {
      try field(1, "notes", &page.notes, shown: false)
      try field(2, "marks", &page.marks, shown: false)
    }
  }

  private struct Notebook: MachineState {
    var pages = [Page(), Page()]
    var changed = ChangedSlices()

    static let sliceNames = ["front", "back"]
    func encodeSlice(_ index: Int, into writer: inout WireWriter) { pages[index].encode(into: &writer) }
    func digestSlice(_ index: Int, into writer: inout DigestWriter) { pages[index].digest(into: &writer) }
    mutating func decodeSlice(_ index: Int, from reader: inout WireReader) throws(WireError) {
      pages[index] = try Page(from: &reader)
    }
    mutating func takeChangedSlices() -> ChangedSlices? { changed.removeAll() }
    func tree() -> StateTree { .members([]) }

    mutating func change(with random: inout SeededGenerator) {
      let (page, key) = (Int.random(in: 0...1, using: &random), UInt64.random(in: 1...18, using: &random))
      let isNote = Bool.random(using: &random)
      changed.insert(page)
      func change(_ table: inout StateTable<Note>) {
        // Rows of one and of two bytes of length, with texts within the row and outside of it.
        let text = String(repeating: "n", count: [0, 3, 14, 15, 40, 119, 200].randomElement(using: &random) ?? 0)
        switch Int.random(in: 0..<8, using: &random) {
        case 0: table.remove(key)
        // Now and then a table becomes large.
        case 1: for key in 1...17 as ClosedRange<UInt64> { table.set(Note(key: key, text: text)) }
        case 2: table.update(key) { $0.tags.append(text) }
        case 3: table.update(key) { $0.text = text }
        case 4: table.updateAll { $0.tags = [] }
        case 5: table = StateTable(table.filter { $0.key % 4 != key % 4 })
        default: table.set(Note(key: key, text: text))
        }
      }
      if isNote { change(&pages[page].notes) } else { change(&pages[page].marks) }
    }
  }

  @Test(
    "They are those of tables that no digest has seen, whatever changed, and in whichever copy of the digester",
    arguments: 1...12 as ClosedRange<UInt64>)
  func successive(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    var notebook = Notebook()
    var digester = StateDigester<Notebook>()
    var counts: Set<Bool> = []
    var kept: [(notebook: Notebook, digester: StateDigester<Notebook>)] = []
    for step in 0..<400 {
      for _ in 0..<Int.random(in: 0...3, using: &random) { notebook.change(with: &random) }
      let expected = StateDigest(of: notebook).combined
      for page in notebook.pages { counts.formUnion([page.notes.count > 16, page.marks.count > 16]) }
      // Now and then a copy, which does not count as the state that changes in place.
      let digest =
        step % 7 == 3 ? digester.combined(of: notebook) : digester.combined(following: &notebook)
      expectEqual(digest, expected, "seed \(seed), step \(step)")
      switch step % 20 {
      case 5: kept.append((notebook, digester))
      case 10: if let earlier = kept.randomElement(using: &random) { (notebook, digester) = earlier }
      default: break
      }
    }
    expectEqual(counts, [true, false], "tables were small and large")
  }
}
