/// One way in which a file comes back other than it was written.
package enum Alteration: Hashable, Sendable {
  /// One bit, counted from the file's first byte and its lowest bit.
  case flipped(bit: Int)
  case cut(to: Int)
  case removed
  case zeroed(Range<Int>)
  /// Two ranges of one length change places.
  case swapped(Int, Int, count: Int)
  /// What lies at the first place is found at the second one too.
  case copied(Int, over: Int, count: Int)
  /// What lies at the first place lies at the second one, and everything between moves up or down.
  case moved(Int, to: Int, count: Int)
  /// Bytes are missing, and those after them move up.
  case deleted(Range<Int>)
  /// Bytes stand between others that were not there.
  case inserted([UInt8], at: Int, from: String)
  /// A range holds what another file has in that place.
  case foreign([UInt8], at: Int, from: String)
  /// The file holds what another one has, or is there although it was not.
  case replaced([UInt8], by: String)

  /// The file's bytes afterwards; `nil` when there is no file.
  func applied(to original: [UInt8]) -> [UInt8]? {
    var bytes = original
    switch self {
    case .flipped(let bit): bytes[bit / 8] ^= 1 << UInt8(bit % 8)
    case .cut(let count): bytes.removeSubrange(count...)
    case .removed: return nil
    case .zeroed(let range): bytes.replaceSubrange(range, with: repeatElement(0, count: range.count))
    case .swapped(let one, let other, let count):
      bytes.replaceSubrange(one..<one + count, with: original[other..<other + count])
      bytes.replaceSubrange(other..<other + count, with: original[one..<one + count])
    case .copied(let from, let to, let count):
      bytes.replaceSubrange(to..<to + count, with: original[from..<from + count])
    case .moved(let from, let to, let count):
      bytes.removeSubrange(from..<from + count)
      bytes.insert(contentsOf: original[from..<from + count], at: to)
    case .deleted(let range): bytes.removeSubrange(range)
    case .inserted(let other, let start, _): bytes.insert(contentsOf: other, at: start)
    case .foreign(let other, let start, _): bytes.replaceSubrange(start..<start + other.count, with: other)
    case .replaced(let other, _): return other
    }
    return bytes
  }
}

extension Alteration {
  /// Whether all bytes that are left stand where they stood, and the file is as long as it was.
  var isInPlace: Bool {
    switch self {
    case .flipped, .zeroed, .swapped, .copied, .foreign: true
    case .cut, .removed, .moved, .deleted, .inserted, .replaced: false
    }
  }

  /// Whether bytes are missing between others, or stand between them that were not there.
  var isRun: Bool {
    switch self {
    case .deleted, .inserted: true
    case .flipped, .zeroed, .swapped, .copied, .foreign, .cut, .removed, .moved, .replaced: false
    }
  }
}

extension Alteration: CustomStringConvertible {
  /// In words that reproduce it.
  package var description: String {
    switch self {
    case .flipped(let bit): "bit \(bit % 8) of byte \(bit / 8) flipped"
    case .cut(let count): "cut to \(count) bytes"
    case .removed: "removed"
    case .zeroed(let range): "bytes \(range) zeroed"
    case .swapped(let one, let other, let count): "\(count) bytes at \(one) and \(other) swapped"
    case .copied(let from, let to, let count): "\(count) bytes at \(from) copied to \(to)"
    case .moved(let from, let to, let count): "\(count) bytes at \(from) moved to \(to)"
    case .deleted(let range): "bytes \(range) deleted"
    case .inserted(let bytes, let start, let source): "\(bytes.count) bytes of \(source) inserted at \(start)"
    case .foreign(let bytes, let start, let source): "\(bytes.count) bytes at \(start) taken from \(source)"
    case .replaced(_, let source): "replaced by \(source)"
    }
  }
}

extension Alteration {
  /// What is done to a file.
  package enum Kind: String, CaseIterable, Sendable {
    case flips = "every bit flipped"
    case cuts = "cut to every length, and removed"
    case sectors = "sectors zeroed, swapped, copied, moved, mixed up with those of other files"
    /// Only in journals that are salvaged.
    case runs = "runs of up to 4,096 bytes inserted, deleted and moved"
    /// Only where several files may be damaged: see ``Damage``.
    case files = "files replaced, added, extended, and first sectors and slots from the wrong place"

    /// Those that are done to one file alone.
    package static let ofOneFile: [Kind] = [.flips, .cuts, .sectors]
  }

  /// Everything of a kind that is tried on a file.
  static func all(_ kind: Kind, of bytes: [UInt8], others: [(path: String, bytes: [UInt8])]) -> [Alteration] {
    switch kind {
    case .flips: (0..<bytes.count * 8).map { .flipped(bit: $0) }
    case .cuts: [.removed] + (0..<bytes.count).map { .cut(to: $0) }
    case .sectors: [512, 4096].flatMap { sectors(of: bytes, others: others, size: $0) }
    case .runs: runs(of: bytes, others: others)
    case .files: []
    }
  }

  /// Runs of every length at every eighth place or so, of zeros, of the file itself and of other files.
  private static func runs(of bytes: [UInt8], others: [(path: String, bytes: [UInt8])]) -> [Alteration] {
    var all: [Alteration] = []
    for (index, count) in [1, 3, 8, 16, 64, 100, 512, 517, 1024, 4096].enumerated() {
      for (number, start) in stride(from: index, to: bytes.count, by: 7).enumerated() {
        switch number % 4 {
        case 0: all.append(.deleted(start..<min(start + count, bytes.count)))
        case 1 where start + count < bytes.count:
          let target = (start &* 31 + count) % (bytes.count - count)
          all.append(.moved(start, to: target, count: count))
        case 1: all.append(.deleted(start..<bytes.count))
        case 2:
          all.append(.inserted([UInt8](repeating: UInt8(number % 8 / 4), count: count), at: start, from: "one value"))
        default:
          let (path, other) = others.isEmpty ? ("", []) : others[number / 8 % others.count]
          let source = number % 8 == 3 ? bytes : other
          let run = Array(source.dropFirst(source.isEmpty ? 0 : start &* 17 % source.count).prefix(count))
          if !run.isEmpty { all.append(.inserted(run, at: start, from: number % 8 == 3 ? "the same file" : path)) }
        }
      }
    }
    return all
  }

  /// Every sector alone, and every pair of sectors whose distance is small or a power of two.
  private static func sectors(of bytes: [UInt8], others: [(path: String, bytes: [UInt8])], size: Int) -> [Alteration] {
    var all: [Alteration] = stride(from: 0, to: bytes.count, by: size).map {
      .zeroed($0..<min($0 + size, bytes.count))
    }
    let count = bytes.count / size
    for one in 0..<count {
      for other in 0..<count where other != one {
        let distance = abs(other - one)
        guard count <= 16 || distance <= 4 || distance & (distance - 1) == 0 else { continue }
        all.append(.copied(one * size, over: other * size, count: size))
        all.append(.moved(one * size, to: other * size, count: size))
        if one < other { all.append(.swapped(one * size, other * size, count: size)) }
      }
    }
    for (path, other) in others where other != bytes {
      for start in stride(from: 0, to: min(bytes.count, other.count), by: size) {
        let end = min(start + size, bytes.count, other.count)
        all.append(.foreign(Array(other[start..<end]), at: start, from: path))
      }
    }
    return all
  }
}
