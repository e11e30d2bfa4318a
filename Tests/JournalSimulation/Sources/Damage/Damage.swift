/// What happens to one file of a fixture.
package struct Damage: Sendable {
  package let path: String
  package let alteration: Alteration

  package init(_ path: String, _ alteration: Alteration) {
    self.path = path
    self.alteration = alteration
  }

  /// Whether all bytes that are left stand where they stood. A copy moves what the other damage to its file may remove.
  static func areInPlace(_ damages: [Damage]) -> Bool {
    damages.allSatisfy { damage in
      guard case .copied = damage.alteration else { return damage.alteration.isInPlace }
      return damages.count { $0.path == damage.path } == 1
    }
  }

  func apply(to image: inout DiskImage) {
    image.files[path] = alteration.applied(to: image.files[path] ?? [])
  }
}

extension Damage: CustomStringConvertible {
  /// In words that reproduce it.
  package var description: String { "\(path) \(alteration)" }
}

extension Damage {
  /// Everything of a kind that can happen to a journal.
  ///
  /// - Parameters:
  ///   - image: its files.
  ///   - foreign: the files of another journal.
  static func all(
    _ kind: Alteration.Kind, of image: DiskImage, foreign: [(path: String, bytes: [UInt8])]
  ) -> [Damage] {
    let paths = image.files.keys.sorted()
    guard kind != .files else { return paths.flatMap { files($0, image, foreign) } + added(image, foreign) }
    return paths.flatMap { path in
      let others = paths.filter { $0 != path }.map { (path: $0, bytes: image.files[$0] ?? []) }
      return Alteration.all(kind, of: image.files[path] ?? [], others: others + foreign).map { Damage(path, $0) }
    }
  }

  /// A damage that a generator determines; half of them hit the same file as the one before.
  static func random(
    of image: DiskImage, foreign: [(path: String, bytes: [UInt8])], after last: Damage?,
    _ generator: inout SeededGenerator
  ) -> Damage {
    let paths = image.files.keys.sorted()
    let drawn = paths[generator.below(paths.count)]
    let path = generator.oneIn(2) ? last?.path ?? drawn : drawn
    let bytes = image.files[path] ?? []
    var choices: [Damage] = []
    switch generator.below(10) {
    case 0..<4 where !bytes.isEmpty: return Damage(path, .flipped(bit: generator.below(bytes.count * 8)))
    case 4 where !bytes.isEmpty: return Damage(path, .cut(to: generator.below(bytes.count)))
    case 5 where image.files[path] != nil: return Damage(path, .removed)
    case 6, 7, 8:
      let others = paths.filter { $0 != path }.map { (path: $0, bytes: image.files[$0] ?? []) }
      choices = Alteration.all(.sectors, of: bytes, others: others + foreign).map { Damage(path, $0) }
    default: choices = files(path, image, foreign)
    }
    if choices.isEmpty { choices = added(image, foreign) }
    return choices[generator.below(choices.count)]
  }

  /// A run of bytes inserted into a file, deleted or moved, which a generator determines.
  static func randomRun(
    of image: DiskImage, foreign: [(path: String, bytes: [UInt8])], _ generator: inout SeededGenerator
  ) -> Damage? {
    let paths = image.files.keys.sorted().filter { $0.hasSuffix(".seg") && image.files[$0]?.isEmpty == false }
    guard !paths.isEmpty else { return nil }
    let path = paths[generator.below(paths.count)]
    let bytes = image.files[path] ?? []
    let count = 1 + generator.below(1 << (1 + generator.below(12)))
    let start = generator.below(bytes.count)
    let range = start..<min(start + count, bytes.count)
    switch generator.below(5) {
    case 0, 1: return Damage(path, .deleted(range))
    case 2 where range.count < bytes.count:
      return Damage(path, .moved(start, to: generator.below(bytes.count - range.count), count: range.count))
    case 2, 3:
      let noise = (0..<count).map { _ in UInt8(generator.below(256)) }
      return Damage(path, .inserted(noise, at: start, from: "noise"))
    default:
      let sources = image.files.sorted { $0.key < $1.key }.map { (path: $0.key, bytes: $0.value) } + foreign
      let source = sources[generator.below(sources.count)]
      let from = generator.below(source.bytes.count + 1)
      return Damage(
        path, .inserted(Array(source.bytes.dropFirst(from).prefix(count)), at: start, from: "\(source.path) at \(from)")
      )
    }
  }

  /// A file that holds what another one has, or more than it should, or the beginning or slot of another place.
  private static func files(
    _ path: String, _ image: DiskImage, _ foreign: [(path: String, bytes: [UInt8])]
  ) -> [Damage] {
    let bytes = image.files[path] ?? []
    let others =
      image.files.keys.sorted().filter { $0 != path }.map { (path: $0, bytes: image.files[$0] ?? []) } + foreign
    var all = others.map { Damage(path, .replaced($0.bytes, by: $0.path)) }
    for count in [8, 512, 4096] {
      all.append(Damage(path, .replaced(bytes + [UInt8](repeating: 0, count: count), by: "itself and \(count) zeros")))
    }
    if path.hasSuffix("/HEAD"), bytes.count >= 576 {
      all += [Damage(path, .copied(512, over: 0, count: 64)), Damage(path, .copied(0, over: 512, count: 64))]
    }
    if path.hasSuffix(".seg") {
      for (other, start) in others where !other.hasSuffix(".seg") && bytes.count >= 512 {
        let sector = Array((start + [UInt8](repeating: 0, count: 512)).prefix(512))
        all.append(Damage(path, .foreign(sector, at: 0, from: "\(other) and zeros")))
      }
    }
    return all
  }

  /// Files that were not there: empty ones with segments' names, and copies and another journal's files under such names.
  private static func added(_ image: DiskImage, _ foreign: [(path: String, bytes: [UInt8])]) -> [Damage] {
    var names = (1...24).map { name($0) + ".seg" } + [name(1000) + ".seg", name(1 << 40) + ".seg"]
    names += [1, 2, 5, 9].flatMap { first in [2, 3, 9].map { "\(name(first))-\(name($0).suffix(10)).seg" } }
    names = names.map { "\(Workload.path)/\($0)" }.filter { image.files[$0] == nil }
    let segments = image.files.keys.sorted().filter { $0.hasSuffix(".seg") }.map {
      (path: $0, bytes: image.files[$0] ?? [])
    }
    let sources = segments + foreign.filter { $0.path.hasSuffix(".seg") }
    return names.map { Damage($0, .replaced([], by: "an empty file")) }
      + names.enumerated().flatMap { index, name in
        sources.enumerated().filter { ($0.offset + index) % 5 == 0 }.map {
          Damage(name, .replaced($0.element.bytes, by: $0.element.path))
        }
      }
  }

  private static func name(_ first: Int) -> String {
    let digits = String(first)
    return String(repeating: "0", count: 20 - digits.count) + digits
  }
}
