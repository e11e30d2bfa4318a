import Expectations
import EventSourcing
import Synchronization
import Testing
import WireFormat

@Suite("Tables of a state")
struct StateTableTests {
  private struct Coin: TableRow, FieldList {
    var key: UInt64
    var worth: UInt32 = 0
    var outline: Outline { Outline(rare: worth % 16 == 3 ? worth : 0) }

    /// The greatest worth of a rare coin; zero if there is none.
    struct Outline: TableOutline {
      var rare: UInt32 = 0
      init() {}
      init(rare: UInt32) { self.rare = rare }
      mutating func formUnion(_ other: Outline) { rare = max(rare, other.rare) }
    }

    static var blank: Self { Self(key: 0) }

    static func visit<V: FieldVisitor>(_ coin: inout Self, _ field: inout V) throws(V.Failure) {
      try field(1, "key", &coin.key, required: true, shown: false)
      try field(2, "worth", &coin.worth)
    }
  }

  private struct Purse: FieldList {
    var owner = ""
    var coins = StateTable<Coin>()

    static var blank: Self { Self() }

    static func visit<V: FieldVisitor>(_ purse: inout Self, _ field: inout V) throws(V.Failure) {
      try field(1, "owner", &purse.owner)
      try field(2, "coins", &purse.coins, shown: false)
      field.shown("coins", purse.tree(of: purse.coins))
    }

    func tree(of coins: StateTable<Coin>) -> StateTree {
      .members(coins.map { .init("c\($0.key)", $0.tree()) })
    }
  }

  private struct Vault: MachineState {
    var purse = Purse()

    static let sliceNames = ["purse"]
    func encodeSlice(_ index: Int, into writer: inout WireWriter) { purse.encode(into: &writer) }
    func digestSlice(_ index: Int, into writer: inout DigestWriter) { purse.digest(into: &writer) }
    mutating func decodeSlice(_ index: Int, from reader: inout WireReader) throws(WireError) {
      purse = try Purse(from: &reader)
    }
    func tree() -> StateTree { .members([.init("purse", purse.tree())]) }
    func compareSlice(_ index: Int, with later: Self, at place: StatePlace, _ differ: StateDiffer) {
      var (one, other) = (purse, later.purse)
      StateTable.leaveOutCommonRows(&one.coins, &other.coins)
      differ.compare(one.tree(), other.tree(), at: place)
    }

    var digest: Digest { StateDigest(of: self).combined }
  }

  /// A table and what it must hold.
  private struct Model {
    var vault = Vault()
    var coins: [UInt64: UInt32] = [:]

    /// The digest of a table that was built in another order and knows none yet.
    var freshDigest: Digest {
      var vault = Vault()
      for (key, worth) in coins { vault.purse.coins.set(Coin(key: key, worth: worth)) }
      return vault.digest
    }

    mutating func change(_ keys: Keys, with random: inout SeededGenerator) {
      let key = keys.any(&random)
      let worth = UInt32.random(in: 0..<1000, using: &random)
      switch Int.random(in: 0..<8, using: &random) {
      case 0..<4:
        vault.purse.coins.set(Coin(key: key, worth: worth))
        coins[key] = worth
      case 4:
        vault.purse.coins.remove(key)
        coins[key] = nil
      case 5:
        guard let known = coins.keys.sorted().randomElement(using: &random) else { return }
        vault.purse.coins.remove(known)
        coins[known] = nil
      case 6:
        vault.purse.coins.update(key) { $0.worth = worth }
        if coins[key] != nil { coins[key] = worth }
      default:
        vault.purse.coins.updateAll { $0.worth &+= 1 }
        coins = coins.mapValues { $0 &+ 1 }
      }
    }

    func check(_ place: String, _ keys: Keys, _ random: inout SeededGenerator) {
      let table = vault.purse.coins
      let sorted = coins.sorted { $0.key < $1.key }
      expectEqual(table.map(\.key), sorted.map(\.key), "\(place)")
      expectEqual(table.map(\.worth), sorted.map(\.value), "\(place)")
      #expect(table.count == coins.count && table.isEmpty == coins.isEmpty, "\(place)")
      for (index, element) in sorted.enumerated() {
        #expect(table[index].key == element.key && table.index(ofKey: element.key) == index, "\(place)")
        expectEqual(table[key: element.key]?.worth, element.value, "\(place)")
        expectEqual(table.withRow(key: element.key) { $0.worth }, element.value, "\(place)")
      }
      for least in [1, 300, 900] as [UInt32] {
        var rare: [UInt64] = []
        while let next = table.first(after: rare.last, among: { $0.rare >= least }) { rare.append(next.key) }
        expectEqual(rare, sorted.filter { $0.value % 16 == 3 && $0.value >= least }.map(\.key), "\(place)")
      }
      let found = table.first(among: { $0.rare > 0 }, where: { $0.worth > 500 })
      expectEqual(found?.key, sorted.first { $0.value % 16 == 3 && $0.value > 500 }?.key, "\(place)")
      // A large table knows at once that it has none.
      let greatest = sorted.map(\.value).filter { $0 % 16 == 3 }.max() ?? 0
      var looks = 0
      #expect(
        table.first(among: {
          looks += 1; return $0.rare > greatest
        }) == nil)
      expectEqual(looks, table.count > 16 ? 1 : table.count, "\(place)")
      let other = keys.any(&random)
      #expect(table[key: other]?.worth == coins[other] && (table.index(ofKey: other) == nil) == (coins[other] == nil))
      expectEqual(vault.digest, freshDigest, "\(place)")
      expectEqual(vault.digest, StateDigest(of: vault).combined, "\(place)")
    }
  }

  /// How keys are chosen.
  private enum Keys: CaseIterable {
    case dense, sparse, wide

    func any(_ random: inout SeededGenerator) -> UInt64 {
      switch self {
      case .dense: .random(in: 1...90, using: &random)
      case .sparse: .random(in: 0...4, using: &random) << 40 | .random(in: 0...30, using: &random)
      case .wide: .random(in: 0...3, using: &random) == 0 ? .max : .random(in: 0...7, using: &random) << 61 + 5
      }
    }
  }

  @Test("A table agrees with a dictionary after any changes", arguments: Keys.allCases, 1...8 as ClosedRange<UInt64>)
  private func model(keys: Keys, seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    var model = Model()
    var kept: [Model] = []
    for step in 0..<400 {
      model.change(keys, with: &random)
      if step % 16 == 0 {
        model.check("\(keys), seed \(seed), step \(step)", keys, &random)
        kept.append(model)
      }
      // An earlier version that goes on by itself leaves this one alone.
      if step % 40 == 20, let index = kept.indices.randomElement(using: &random) {
        kept[index].change(keys, with: &random)
      }
    }
    for (index, version) in kept.enumerated() {
      version.check("\(keys), seed \(seed), version \(index)", keys, &random)
    }
  }

  @Test("The difference of two versions is that of their trees", arguments: Keys.allCases, 1...8 as ClosedRange<UInt64>)
  private func differences(keys: Keys, seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    var model = Model()
    for _ in 0..<200 { model.change(keys, with: &random) }
    for step in 0..<40 {
      let before = model.vault
      for _ in 0..<(step % 7) { model.change(keys, with: &random) }
      // Without digests, with those of one version, and with those of both.
      if step % 3 > 0 { _ = before.digest }
      if step % 3 > 1 { _ = model.vault.digest }
      let expected = StateDiff(from: before.tree(), to: model.vault.tree())
      expectEqual(before.changes(to: model.vault), expected, "\(keys), seed \(seed), step \(step)")
      #expect((before == model.vault) == expected.isEmpty)
      // Equal parts that share nothing are recognised by their digests.
      var writer = WireWriter()
      model.vault.encodeSlice(0, into: &writer)
      var copy = Vault()
      #expect(throws: Never.self) {
        try WireReader.decode(writer.bytes) { (reader) throws(WireError) in try copy.decodeSlice(0, from: &reader) }
      }
      #expect(copy == model.vault && copy.digest == model.vault.digest)
      expectEqual(before.changes(to: copy), expected, "\(keys), seed \(seed), step \(step)")
    }
  }

  @Test("A changed row costs the rows beside it, however large the table is")
  func sharing() {
    var reads = Vault()
    for key in 1...5_000 as ClosedRange<UInt64> { reads.purse.coins.set(Coin(key: key)) }
    _ = reads.digest
    var later = reads
    later.purse.coins.update(2_500) { $0.worth = 9 }
    var (one, other) = (reads.purse.coins, later.purse.coins)
    StateTable.leaveOutCommonRows(&one, &other)
    #expect(one.map(\.key) == [2_500] && other.map(\.worth) == [9])
    later.purse.coins.remove(17)
    later.purse.coins.set(Coin(key: 9_000))
    expectEqual(reads.changes(to: later).changes.count, 3)
    (one, other) = (reads.purse.coins, later.purse.coins)
    StateTable.leaveOutCommonRows(&one, &other)
    #expect(one.count < 100 && other.count < 100)
  }

  /// A row whose outline counts how often it is looked at.
  private struct Counted: TableRow, FieldList {
    var key: UInt64
    var isMarked = false
    var outline: Mark { Mark(isMarked: isMarked) }

    struct Mark: TableOutline {
      static let unions = Atomic(0)
      var isMarked = false
      init() {}
      init(isMarked: Bool) { self.isMarked = isMarked }
      mutating func formUnion(_ other: Mark) {
        Self.unions.wrappingAdd(1, ordering: .relaxed)
        isMarked = isMarked || other.isMarked
      }
    }

    static var blank: Self { Self(key: 0) }

    static func visit<V: FieldVisitor>(_ row: inout Self, _ field: inout V) throws(V.Failure) {
      try field(1, "key", &row.key, required: true, shown: false)
      try field(2, "isMarked", &row.isMarked)
    }
  }

  @Test(
    "A row that is replaced or changed looks at no other, unless its outline is another one", arguments: [true, false])
  func outlines(isShared: Bool) {
    var rows = StateTable<Counted>()
    for key in 1...600 as ClosedRange<UInt64> { rows.set(Counted(key: key)) }
    let copy = isShared ? rows : StateTable()
    Counted.Mark.unions.store(0, ordering: .relaxed)
    rows.set(Counted(key: 300))
    rows.update(400) { $0.isMarked = false }
    expectEqual(Counted.Mark.unions.load(ordering: .relaxed), 0)
    rows.update(301) { $0.isMarked = true }
    rows.set(Counted(key: 401, isMarked: true))
    #expect(Counted.Mark.unions.load(ordering: .relaxed) > 0)
    var marked: [UInt64] = []
    while let next = rows.first(after: marked.last, among: \.isMarked) { marked.append(next.key) }
    #expect(marked == [301, 401] && copy.first(among: \.isMarked) == nil)
  }

  @Test("The digests of rows, leaves and parts are those that the documentation states")
  func documentedDigests() {
    func digest(of coin: Coin) -> [UInt8] {
      var writer = WireWriter()
      writer.writePresent(1, fixed: Int64(bitPattern: coin.key))
      writer.write(2) { coin.encode(into: &$0) }
      return Digest.sha256(writer.bytes).bytes
    }
    func leaf(_ coins: [Coin]) -> [UInt8] { [1] + coins.flatMap(digest) }
    func inner(_ parts: [[UInt8]]) -> [UInt8] { [2] + parts.flatMap { Digest.sha256($0).bytes } }
    func combined(_ summary: [UInt8]) -> Digest {
      var slice = WireWriter()
      slice.write(2, bytes: summary)
      return StateDigest(slices: [.init(name: "purse", digest: .sha256(slice.bytes))]).combined
    }
    let coins = (1...70).map { Coin(key: $0, worth: UInt32($0 * 3)) }
    var vault = Vault()
    for coin in coins[..<16] { vault.purse.coins.set(coin) }
    expectEqual(StateDigest(of: vault).slices.map(\.digest), [.sha256(vault.encodedSlice(0))])
    vault.purse.coins.set(coins[16])
    let few = [coins[..<7], coins[7..<15], coins[15..<17]].map { leaf(Array($0)) }
    expectEqual(vault.digest, combined(inner(few)))
    for coin in coins[17...] { vault.purse.coins.set(coin) }
    let eights = [0..<7] + (0..<7).map { (7 + 8 * $0)..<(15 + 8 * $0) }
    let low = inner(eights.map { leaf(Array(coins[$0])) })
    expectEqual(vault.digest, combined(inner([low, leaf(Array(coins[63...]))])))
  }

  @Test("Rows are read in the order of their keys only, whether or not the fields are")
  func reading() throws {
    func purse(_ keys: [UInt64], ownerLast: Bool) -> [UInt8] {
      var writer = WireWriter()
      if !ownerLast { writer.write(1, string: "Ada") }
      for key in keys { writer.write(2) { Coin(key: key).encode(into: &$0) } }
      if ownerLast { writer.write(1, string: "Ada") }
      return writer.bytes
    }
    for ownerLast in [false, true] {
      let keys = (1...40).map { UInt64($0) }
      let read = try WireReader.decode(purse(keys, ownerLast: ownerLast)) { (reader) throws(WireError) in
        try Purse(from: &reader)
      }
      #expect(read.coins.map(\.key) == keys && read.owner == "Ada")
      for wrong in [[1, 2, 2], [2, 1]] as [[UInt64]] {
        #expect(throws: WireError.self) {
          try WireReader.decode(purse(wrong, ownerLast: ownerLast)) { (reader) throws(WireError) in
            try Purse(from: &reader)
          }
        }
      }
    }
  }

  @Test(
    "A change that gives a row another key stops with the row and both keys, in a small table and in a tree",
    arguments: [3, 40])
  func changedKey(_ count: Int) async throws {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) { [count] in
      var coins = StateTable<Coin>()
      for key in 1...UInt64(count) { coins.set(Coin(key: key)) }
      coins.update(2) { $0.key = 700 }
    }
    let text = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
    #expect(text.contains("a change of the row \"2\" of Coin gave it the key \"700\""), "\(text)")
  }
}
