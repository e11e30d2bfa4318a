import EventSourcing
import Expectations
import JSON
import Journal
import JournalSimulation
import Testing

/// A box with a property of each type that a field can have.
private struct Box: FieldTree, Equatable {
  enum Material: Int, WireEnumeration { case wood, steel, glass = 700, none = -1 }

  struct Language: OpenEnumeration, Hashable {
    var rawValue: UInt32
    static let descriptor = EnumerationDescriptor("Language", [(0, "unknown"), (1, "english")])
  }

  struct Label: FieldTree, Equatable {
    var text = ""
    var printed: CivilDate?
    static var blank: Self { Self() }
    static func visit<V: FieldVisitor>(_ label: inout Self, _ field: inout V) throws(V.Failure) {
      try field(1, "text", &label.text)
      try field(2, "printed", &label.printed)
    }
  }

  struct Shelf: KeyedRow, FieldTree, Equatable {
    var key = ""
    var load = 0.0
    static var blank: Self { Self() }
    static func visit<V: FieldVisitor>(_ shelf: inout Self, _ field: inout V) throws(V.Failure) {
      try field(1, "title", &shelf.key)
      try field(2, "load", &shelf.load)
    }
  }

  struct Part: KeyedRow, FieldTree, Equatable {
    var key = GUID(high: 0, low: 0)
    var made = CivilDate.zero
    static var blank: Self { Self() }
    static func visit<V: FieldVisitor>(_ part: inout Self, _ field: inout V) throws(V.Failure) {
      try field(1, "id", &part.key)
      try field(2, "made", &part.made)
    }
  }

  struct Layer: TableRow, FieldTree, Equatable {
    var key: UInt64 = 0
    var height = 0
    static var blank: Self { Self() }
    static func visit<V: FieldVisitor>(_ layer: inout Self, _ field: inout V) throws(V.Failure) {
      try field(1, "number", &layer.key, required: true)
      try field(2, "height", &layer.height)
    }
  }

  var isOpen = false
  var size = 0
  var offset: Int64 = 0
  var count: UInt32 = 0
  var total: UInt64 = 0
  var packedIn: UInt64 = 0
  var weight = 0.0
  var title = ""
  var answers = ""
  var seal: [UInt8] = []
  var closed: Int64 = 0
  var lasts: Int64 = 0
  var elapsed: Int64 = 0
  var id = GUID(high: 0, low: 0)
  var due = CivilDate.zero
  var material = Material.wood
  var language = Language(rawValue: 0)
  var label = Label()
  var spare: Label?
  var owner: GUID?
  var densities: [Double] = []
  var holidays: [CivilDate] = []
  var languages: [Language] = []
  var parents: [GUID] = []
  var tags: Set<String> = []
  var days: Set<CivilDate> = []
  var prices: [CivilDate: Double] = [:]
  var labels: [GUID: Label] = [:]
  var materials: [String: Material] = [:]
  var layers = StateTable<Layer>()
  var shelves = KeyedTable<Shelf>()
  var parts = KeyedTable<Part>()

  static var blank: Self { Self() }

  static func visit<V: FieldVisitor>(_ box: inout Self, _ field: inout V) throws(V.Failure) {
    try field(1, "isOpen", &box.isOpen)
    try field(2, "size", &box.size)
    try field(3, "offset", &box.offset)
    try field(4, "count", &box.count)
    try field(5, "total", &box.total)
    try field(6, "packedIn", &box.packedIn, as: .sequence)
    try field(7, "weight", &box.weight)
    try field(8, "title", &box.title)
    try field(9, "answers", &box.answers, as: .json)
    try field(10, "seal", &box.seal)
    try field(11, "closed", &box.closed, as: .time)
    try field(12, "lasts", &box.lasts, as: .duration)
    try field(13, "elapsed", &box.elapsed, as: .elapsed)
    try field(14, "id", &box.id)
    try field(15, "due", &box.due)
    try field(16, "material", &box.material)
    try field(17, "language", &box.language)
    try field(18, "label", &box.label)
    try field(19, "spare", &box.spare)
    try field(20, "owner", &box.owner, privacy: .account)
    try field(21, "densities", &box.densities)
    try field(22, "holidays", &box.holidays)
    try field(23, "languages", &box.languages)
    try field(24, "parents", &box.parents)
    try field(25, "tags", &box.tags)
    try field(26, "days", &box.days)
    try field(27, "prices", &box.prices)
    try field(28, "labels", &box.labels)
    try field(29, "materials", &box.materials)
    try field(30, "layers", &box.layers)
    try field(31, "shelves", &box.shelves)
    try field(32, "parts", &box.parts)
  }

  /// A box with values at the ends of their ranges and between them.
  static func random(_ random: inout SeededGenerator) -> Box {
    func date() -> CivilDate {
      CivilDate(daysSince1970: [-719_162, -1, 2_932_896, Int64(random.below(40_000))][random.below(4)]) ?? .zero
    }
    func text() -> String { ["", "a", "Kiste/1", "é\n", "<b>", "=1+1"][random.below(6)] }
    func number() -> Double {
      [
        0, -1.5, 1e16, 1e-5, 123_456_789.125, .infinity, .nan, .leastNonzeroMagnitude,
        Double(bitPattern: random.next()),
      ][
        random.below(9)]
    }
    func id() -> GUID {
      GUID(bytes: (0..<16).map { _ in UInt8(truncatingIfNeeded: random.next()) }) ?? GUID(high: 0, low: 0)
    }
    func integer() -> Int64 {
      [0, 1, -1, .max, .min, Int64(bitPattern: random.next()) >> Int64(random.below(60))][random.below(6)]
    }
    func language() -> Language { Language(rawValue: [0, 1, 2, .max][random.below(4)]) }
    func label() -> Label { Label(text: text(), printed: random.oneIn(2) ? nil : date()) }
    func some<Value>(_ value: () -> Value) -> [Value] { (0..<random.below(4)).map { _ in value() } }
    let materials: [Material] = [.wood, .steel, .glass, .none]
    var box = Box()
    box.isOpen = random.oneIn(2)
    box.size = Int(integer())
    box.offset = integer()
    box.count = UInt32(truncatingIfNeeded: integer())
    box.total = UInt64(bitPattern: integer())
    box.packedIn = UInt64(random.below(5))
    box.weight = number()
    box.title = text()
    box.answers = ["", "{\"b\":1,\"a\":[true,null,1.5]}", "\"x\"", "no value", "{\"a\":1,\"a\":2}"][random.below(5)]
    box.seal = some { UInt8(truncatingIfNeeded: random.next()) }
    box.closed = integer()
    box.lasts = integer()
    box.elapsed = integer()
    box.id = id()
    box.due = date()
    box.material = materials[random.below(4)]
    box.language = language()
    box.label = label()
    box.spare = random.oneIn(2) ? nil : label()
    box.owner = random.oneIn(2) ? nil : id()
    box.densities = some(number)
    box.holidays = some(date)
    box.languages = some(language)
    box.parents = some(id)
    box.tags = Set(some(text))
    box.days = Set(some(date))
    box.prices = Dictionary(some { (date(), number()) }, uniquingKeysWith: { $1 })
    box.labels = Dictionary(some { (id(), label()) }, uniquingKeysWith: { $1 })
    box.materials = Dictionary(some { (text(), materials[random.below(4)]) }, uniquingKeysWith: { $1 })
    for _ in 0..<random.below(3) { box.layers.set(Layer(key: UInt64(random.below(9)), height: Int(integer()))) }
    for shelf in some({ Shelf(key: text(), load: number()) }) { box.shelves.set(shelf) }
    for part in some({ Part(key: id(), made: date()) }) { box.parts.set(part) }
    return box
  }
}

/// What happens in a depot, whose state has tables of texts and GUIDs.
private enum Depot: EventList {
  case packed(box: Box = Box(), by: Personal<String> = "", holder: Personal<GUID?> = Personal(nil))
  case weighed(title: String = "", weight: Double = 0, due: CivilDate? = nil, prices: [String: Double] = [:])

  static let types = EventTypes<Depot>("depot", .packed(), .weighed())

  func visit<V>(_ list: inout EventVisitor<V>) throws(V.Failure) -> Depot {
    switch self {
    case .packed(let box, let by, let holder):
      try list.event(
        1, "box.packed",
        .packed(
          box: list.field(1, "box", box), by: list.field(2, "by", by, privacy: .account),
          holder: list.field(3, "holder", holder, privacy: .account)))
    case .weighed(let title, let weight, let due, let prices):
      try list.event(
        2, "box.weighed",
        .weighed(
          title: list.field(1, "title", title), weight: list.field(2, "weight", weight),
          due: list.field(3, "due", due), prices: list.field(4, "prices", prices)))
    }
  }

  var sealingAccount: UInt64 { 1 }
}

private struct Warehouse: Aggregate {
  typealias Event = Depot

  var shelves = KeyedTable<Box.Shelf>()
  var parts = KeyedTable<Box.Part>()
  var last = Box()

  mutating func visit<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
    try field(1, "shelves", &shelves)
    try field(2, "parts", &parts)
    try field(3, "last", &last)
  }

  mutating func apply(_ event: Depot, _ context: EventContext) {
    guard case .packed(let box, _, _) = event else { return }
    for shelf in box.shelves { shelves.set(shelf) }
    for part in box.parts { parts.set(part) }
    last = box
  }
}

private struct OneKey: SealingKeys {
  func key(of account: UInt64) -> SealingKey? { SealingKey(bytes: [UInt8](repeating: 5, count: SealingKey.byteCount)) }
  func keyForSealing(_ account: UInt64) -> SealingKey? { key(of: account) }
}

@Suite("Every field type, to the independent reader")
struct FieldTypeReaderTests {
  @Test(
    "It prints of fields of every type what pj prints, sealed and plain, and from a journal with a checkpoint",
    arguments: [false, true])
  func agrees(isSealed: Bool) throws {
    try TestFiles.withTemporaryFolder { folder in
      let id = try #require(JournalID(bytes: [UInt8](repeating: 4, count: 16)))
      var options = StoreOptions()
      options.journal.segmentSizeLimit = 1 << 13
      if isSealed {
        options.sealing = Sealing(keys: OneKey(), randomBytes: { [UInt8](repeating: 6, count: $0) })
      }
      let store = try EventStore<Warehouse>.create(
        at: "\(folder)/depot", journalID: id, createdNanoseconds: 1, options: options)
      var random = SeededGenerator(seed: 40)
      for number in 1...120 as ClosedRange<Int64> {
        let box = Box.random(&random)
        try store.append(
          .packed(box: box, by: Personal("Ada \(number)"), holder: Personal(box.owner)),
          at: Moment(wallNanoseconds: number))
        try store.append(
          .weighed(title: box.title, weight: box.weight, due: box.spare?.printed, prices: ["a": box.weight, "b": 0]),
          at: Moment(wallNanoseconds: number))
        if number == 60 { try store.checkpoint() }
      }
      try store.close()
      let independent = IndependentReaderTests()
      let tool = try independent.tool("\(folder)/depot")
      expectEqual(tool.code, 0)
      expectEqual(tool.events.count, 240)
      #expect(tool.events.allSatisfy { $0["undecodable"] == nil })
      for options in ["", "--by-catalog"] {
        expectEqual(try independent.reader("\(folder)/depot", options: options).differences(from: tool), [])
      }
    }
  }
}
