import Journal

/// A journal that is damaged and salvaged, with what may come out of it.
package struct SalvageFixture: Sendable {
  /// Something on the device that says how far the history was durable.
  struct Witness: Sendable {
    var path: String
    var range: Range<Int>
    /// The event up to which it says so.
    var sequence: Int
    /// The segment that it knows of.
    var ordinal: Int
  }

  let journal: DamageFixture
  /// The files of another journal, sectors of which come into this one's.
  let foreign: [(path: String, bytes: [UInt8])]
  /// Whole events that stand in the first segment and are not of the history: their writer went on before them.
  let givenUp: [Int: [UInt8]]
  /// Whether those were durable once, and given up because of damage.
  let wasDurable: Bool
  private let witnesses: [Witness]

  package var name: String { journal.name }

  init(
    _ journal: DamageFixture, foreign: [(path: String, bytes: [UInt8])], givenUp: [Int: [UInt8]] = [:],
    wasDurable: Bool = false
  ) {
    self.journal = journal
    self.foreign = foreign
    self.givenUp = givenUp
    self.wasDurable = wasDurable
    witnesses = Self.witnesses(journal.image, last: journal.events.count)
  }

  /// The event of a number, when it is one that the journal keeps; an empty one marks a place and is none.
  func event(_ number: UInt64) -> [UInt8]? {
    guard number > UInt64(journal.retired), number <= UInt64(journal.events.count) else { return nil }
    let event = journal.events[Int(number) - 1]
    return event.isEmpty ? nil : event
  }

  /// The numbers of the events that the journal keeps.
  var numbers: [UInt64] {
    (UInt64(journal.retired)..<UInt64(journal.events.count)).map { $0 + 1 }.filter { event($0) != nil }
  }

  /// Whether anything is left in a damaged image that says that an event was durable.
  func hasWitness(of number: UInt64, in image: DiskImage) -> Bool {
    witnesses.contains { UInt64($0.sequence) >= number && isLeft($0, in: image) }
  }

  /// Whether a slot of HEAD is left.
  func hasReceipt(in image: DiskImage) -> Bool {
    witnesses.contains { $0.path.hasSuffix("/HEAD") && isLeft($0, in: image) }
  }

  /// Whether anything is left that tells that a later segment was begun behind those events that were given up. Without it
  /// the journal is the same as one that ends with them.
  func knowsSuccessor(in image: DiskImage) -> Bool {
    witnesses.contains { $0.ordinal > 1 && isLeft($0, in: image) }
      || journal.places.contains { place in
        guard place.file != journal.places.first?.file, let bytes = image.files[place.file] else { return false }
        return !wasDurable
          || bytes.count >= place.range.upperBound
            && bytes[place.range] == (journal.image.files[place.file] ?? [])[place.range]
      }
  }

  /// Whether an event is one of the other journal.
  func isForeign(_ payload: [UInt8]) -> Bool {
    !payload.isEmpty && foreign.contains { $0.bytes.firstRange(of: payload) != nil }
  }

  /// Whether the bytes of an event stand where they stood.
  func isIntact(_ number: UInt64, in image: DiskImage) -> Bool {
    let place = journal.places[Int(number) - 1 - journal.retired]
    guard let bytes = image.files[place.file], bytes.count >= place.range.upperBound else { return false }
    return bytes[place.range] == (journal.image.files[place.file] ?? [])[place.range]
  }

  private func isLeft(_ witness: Witness, in image: DiskImage) -> Bool {
    guard let bytes = image.files[witness.path], bytes.count >= witness.range.upperBound else { return false }
    return bytes[witness.range] == (journal.image.files[witness.path] ?? [])[witness.range]
  }

  private static func witnesses(_ image: DiskImage, last: Int) -> [Witness] {
    var all: [Witness] = []
    var begins: [(ordinal: Int, first: Int)] = []
    func number(_ bytes: [UInt8], at offset: Int) -> Int {
      bytes[offset..<offset + 8].reversed().reduce(0) { $0 << 8 | Int($1) }
    }
    for (path, bytes) in image.files {
      if path.hasSuffix("/HEAD") {
        for slot in [0, 512] where bytes.count >= slot + 64 && number(bytes, at: slot + 16) > 0 {
          all.append(
            Witness(
              path: path, range: slot..<slot + 64, sequence: number(bytes, at: slot + 32),
              ordinal: number(bytes, at: slot + 16)))
        }
      } else if path.hasSuffix(".seg"), bytes.count >= 128 {
        let first = number(bytes, at: 48)
        begins.append((number(bytes, at: 40), first))
        all.append(Witness(path: path, range: 0..<128, sequence: first - 1, ordinal: number(bytes, at: 40)))
      } else if path.hasSuffix(".ckpt"), bytes.count >= 72 {
        all.append(
          Witness(
            path: path, range: bytes.indices, sequence: number(bytes, at: 32), ordinal: number(bytes, at: 40)))
      }
    }
    return all.filter { witness in
      witness.sequence <= last && !begins.contains { $0.ordinal > witness.ordinal && $0.first <= witness.sequence }
    }
  }
}
