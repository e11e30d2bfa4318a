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
  /// Files of the same journal that come into this one's: older ones, and those from which it was salvaged.
  let generations: [(path: String, bytes: [UInt8])]
  /// Events that an earlier salvage lost, and that those files may give back.
  let lostEarlier: [Int: [UInt8]]
  /// The journals as which the events may be salvaged: a copy is one of its own where nothing says what it is a copy of.
  let ids: [JournalID]
  /// The journal that this one is.
  private let own: JournalID
  private let witnesses: [Witness]

  package var name: String { journal.name }

  init(
    _ journal: DamageFixture, foreign: [(path: String, bytes: [UInt8])], givenUp: [Int: [UInt8]] = [:],
    wasDurable: Bool = false, generations: [(path: String, bytes: [UInt8])] = [], lostEarlier: [Int: [UInt8]] = [:]
  ) {
    self.journal = journal
    self.foreign = foreign
    self.givenUp = givenUp
    self.wasDurable = wasDurable
    self.generations = generations
    self.lostEarlier = lostEarlier
    let reader = try? JournalReader(path: Workload.path, fileSystem: RecordingFileSystem(journal.image))
    own = reader.map { $0.identity.id } ?? Workload.id
    ids = own == Workload.id ? [own, .none] : [Workload.id, own, .none]
    witnesses = Self.witnesses(journal.image, last: journal.events.count)
  }

  /// All files that come into this one's.
  var others: [(path: String, bytes: [UInt8])] { foreign + generations }

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

  /// Whether what says how far this journal reached says it of the journal as which its events are salvaged, too: of the
  /// original only if `JOURNAL` is left, which says that this one is a copy.
  func speaks(of source: JournalID, in image: DiskImage) -> Bool {
    source != .none && (source == own || isNamed(in: image))
  }

  /// Whether this journal is a copy of another one.
  var isCopy: Bool { own != Workload.id }

  /// Whether `JOURNAL` is left.
  func isNamed(in image: DiskImage) -> Bool {
    let identity = "\(Workload.path)/JOURNAL"
    return image.files[identity] == journal.image.files[identity]
  }

  /// The last event that the names of segment files say was durable; a name that was made up says so too.
  func lastNamed(in image: DiskImage) -> UInt64 {
    image.files.keys.lazy.compactMap { path in
      let name = path.split(separator: "/").last ?? ""
      return name.hasSuffix(".seg") ? UInt64(name.prefix(20)) : nil
    }.max().map { $0 - 1 } ?? 0
  }

  /// Whether a slot of HEAD is left.
  func hasReceipt(in image: DiskImage) -> Bool {
    witnesses.contains { $0.path.hasSuffix("/HEAD") && isLeft($0, in: image) }
  }

  /// Whether a slot of HEAD is one of an older generation, which nothing tells from the newest.
  func hasOldReceipt(in image: DiskImage) -> Bool {
    let head = image.files["\(Workload.path)/HEAD"] ?? []
    return generations.contains { path, bytes in
      path.hasSuffix("/HEAD")
        && [0, 512].contains { head.count >= $0 + 64 && head[$0..<$0 + 64] == bytes[$0..<$0 + 64] }
    }
  }

  /// Whether anything is left that tells that a later segment was begun after those events that were given up. Without it
  /// the journal is the same as one that ends with them.
  func knowsSuccessor(in image: DiskImage) -> Bool {
    witnesses.contains { $0.ordinal > 1 && isLeft($0, in: image) }
      || journal.places.contains { place in
        guard place.file != journal.places.first?.file, let bytes = image.files[place.file] else { return false }
        // By its name and header a copy of the first segment under a wrong name is that and no more.
        let first = journal.places.first.flatMap { journal.image.files[$0.file] } ?? []
        let isCopy = bytes.starts(with: first.prefix(224))
        return (!wasDurable && !isCopy)
          || bytes.count >= place.range.upperBound
            && bytes[place.range] == (journal.image.files[place.file] ?? [])[place.range]
      }
  }

  /// Whether an event is one of the other journal.
  func isForeign(_ payload: [UInt8]) -> Bool {
    !payload.isEmpty && foreign.contains { $0.bytes.firstRange(of: payload) != nil }
  }

  /// Whether an event is one of a segment that stands in the payload of another one, and not of this history.
  func isEmbedded(_ payload: [UInt8]) -> Bool {
    !payload.isEmpty && journal.events.contains { $0.count > payload.count && $0.firstRange(of: payload) != nil }
  }

  /// Whether a damage moves events of which enough is left to say where they were written: not where an event has a segment
  /// in its payload, nor where the header is cut and frames of another place stand before its own.
  func isShifted(by damage: Damage, in image: DiskImage) -> Bool {
    guard damage.alteration.isRun, let file = journal.places.first?.file, let whole = journal.image.files[file] else {
      return false
    }
    if case .inserted = damage.alteration, !hasHeader(of: damage.path, in: damage.path, image) { return false }
    return !journal.events.contains { $0.firstRange(of: whole.prefix(8)) != nil }
  }

  /// Whether anything is left around a segment in a payload that tells it from one that stands alone: the header of the
  /// segment around it, or what says which journal this is, together with a frame of that segment. Where all between the
  /// two headers is gone, which may be the same, the file begins as the segment in the payload does. Where its frames stand
  /// at the offsets that they have in it, they verify as those of the segment around it.
  func tellsEmbedded(in image: DiskImage) -> Bool {
    guard let file = journal.places.first?.file, let whole = journal.image.files[file] else { return true }
    let bytes = image.files[file] ?? []
    if beginsAsEmbedded(bytes, whole) || placesEmbedded(bytes, whole) { return false }
    if bytes.starts(with: whole.prefix(224)) { return true }
    return isNamed(in: image) && numbers.contains { isIntact($0, in: image) }
  }

  /// Whether a frame of the segment in a payload stands in the file at the offset which it has in its own segment.
  private func placesEmbedded(_ bytes: [UInt8], _ whole: [UInt8]) -> Bool {
    journal.events.contains { event in
      guard let start = event.firstRange(of: whole.prefix(8))?.lowerBound else { return false }
      let embedded = Array(event[start...])
      return stride(from: 224, through: min(embedded.count, bytes.count) - 24, by: 8).contains { offset in
        let frame = embedded[offset..<offset + 24]
        return bytes[offset..<offset + 24] == frame && whole[offset..<offset + 24] != frame
      }
    }
  }

  /// Whether a file begins as the segment in a payload does, further than the segment around it begins so.
  private func beginsAsEmbedded(_ bytes: [UInt8], _ whole: [UInt8]) -> Bool {
    journal.events.contains { event in
      guard let start = event.firstRange(of: whole.prefix(8))?.lowerBound else { return false }
      let common = zip(event[start...], whole).prefix { $0 == $1 }.count
      // Up to the first frame in which they differ; 224 bytes are the header.
      return bytes.starts(with: event[start...].prefix(max(common, 224) + 16))
    }
  }

  /// Whether a segment's file still has its header, or an event where it stood.
  func isRecognizable(_ file: String, in image: DiskImage) -> Bool {
    hasHeader(of: file, in: file, image)
      || numbers.contains { journal.places[Int($0) - 1 - journal.retired].file == file && isIntact($0, in: image) }
  }

  /// Whether a file begins with the header that one of the journal's segments had.
  func hasHeader(of segment: String, in file: String, _ image: DiskImage) -> Bool {
    (image.files[file] ?? []).starts(with: (journal.image.files[segment] ?? []).prefix(224))
  }

  /// Whether a file begins with the header of a segment of another generation, or of the original, in which an event may be.
  func hasOtherHeader(before number: UInt64, in file: String, _ image: DiskImage) -> Bool {
    let header = (image.files[file] ?? []).prefix(224)
    return generations.contains { path, bytes in
      path.hasSuffix(".seg") && header.count == 224 && bytes.starts(with: header)
        && Self.number(header, at: 48) <= number
    }
  }

  /// Whether as many files say that the journal in the directory is the other one as say that it is this one. `HEAD` says
  /// so of a journal that another file names.
  func isOutvoted(in image: DiskImage) -> Bool {
    let own = journal.image.files.count { Self.isNamed(image.files[$0.key], in: $0.key, as: $0.value) }
    let isNamed = own > 0
    let receipts = isNamed && hasReceipt(in: image) ? 1 : 0
    let other = image.files.count { path, bytes in foreign.contains { Self.isNamed(bytes, in: path, as: $0.bytes) } }
    let head = image.files["\(Workload.path)/HEAD"] ?? []
    let hasOtherReceipt = foreign.contains { path, bytes in
      path.hasSuffix("/HEAD")
        && [0, 512].contains { head.count >= $0 + 64 && head[$0..<$0 + 64] == bytes[$0..<$0 + 64] }
    }
    return other + (other > 0 && hasOtherReceipt ? 1 : 0) >= own + receipts
  }

  /// Whether a file still says of which journal it is, as one did of its kind.
  private static func isNamed(_ bytes: [UInt8]?, in path: String, as other: [UInt8]) -> Bool {
    let size = path.hasSuffix(".seg") ? 224 : path.hasSuffix("/JOURNAL") ? other.count : 72
    guard let bytes, !path.hasSuffix("/HEAD"), other.count >= size, bytes.count >= size else { return false }
    return bytes.prefix(size) == other.prefix(size) && (!path.hasSuffix("/JOURNAL") || bytes.count == size)
  }

  /// Whether the bytes of an event stand where they stood.
  func isIntact(_ number: UInt64, in image: DiskImage) -> Bool {
    let place = journal.places[Int(number) - 1 - journal.retired]
    guard let bytes = image.files[place.file], bytes.count >= place.range.upperBound else { return false }
    return bytes[place.range] == (journal.image.files[place.file] ?? [])[place.range]
  }

  /// Whether the bytes of an event stand in its file, wherever that is.
  func isWhole(_ number: UInt64, in image: DiskImage) -> Bool {
    let place = journal.places[Int(number) - 1 - journal.retired]
    guard let bytes = image.files[place.file], let frame = journal.image.files[place.file]?[place.range] else {
      return false
    }
    return bytes.firstRange(of: frame) != nil
  }

  /// Where an event ends that stands elsewhere in its file, the last whole one before another event, and no later one
  /// stands where it stood: then nothing tells that the bytes which follow it were not moved with it.
  func endOfShifted(before number: UInt64, in image: DiskImage) -> Int? {
    let file = journal.places[Int(number) - 1 - journal.retired].file
    let own = numbers.filter { journal.places[Int($0) - 1 - journal.retired].file == file }
    guard !own.contains(where: { $0 > number && isIntact($0, in: image) }),
      let last = own.last(where: { $0 < number && isWhole($0, in: image) }), !isIntact(last, in: image)
    else { return nil }
    let place = journal.places[Int(last) - 1 - journal.retired]
    let frame = (journal.image.files[file] ?? [])[place.range]
    return image.files[file]?.firstRange(of: frame)?.upperBound
  }

  private func isLeft(_ witness: Witness, in image: DiskImage) -> Bool {
    guard let bytes = image.files[witness.path], bytes.count >= witness.range.upperBound else { return false }
    return bytes[witness.range] == (journal.image.files[witness.path] ?? [])[witness.range]
  }

  private static func number(_ bytes: some Collection<UInt8>, at offset: Int) -> Int {
    bytes.dropFirst(offset).prefix(8).reversed().reduce(0) { $0 << 8 | Int($1) }
  }

  private static func witnesses(_ image: DiskImage, last: Int) -> [Witness] {
    var all: [Witness] = []
    var begins: [(ordinal: Int, first: Int)] = []
    for (path, bytes) in image.files {
      if path.hasSuffix("/HEAD") {
        for slot in [0, 512] where bytes.count >= slot + 64 && number(bytes, at: slot + 16) > 0 {
          all.append(
            Witness(
              path: path, range: slot..<slot + 64, sequence: number(bytes, at: slot + 32),
              ordinal: number(bytes, at: slot + 16)))
        }
      } else if path.hasSuffix(".seg"), bytes.count >= 224 {
        let first = number(bytes, at: 48)
        begins.append((number(bytes, at: 40), first))
        all.append(Witness(path: path, range: 0..<224, sequence: first - 1, ordinal: number(bytes, at: 40)))
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
