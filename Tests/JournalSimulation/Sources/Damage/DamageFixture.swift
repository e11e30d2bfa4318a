import Journal

/// A journal on which every kind of damage is tried, with what must still be read of it.
package struct DamageFixture: Sendable {
  /// Where one event stands.
  struct Place: Sendable {
    var file: String
    var range: Range<Int>
    /// The numbers of the batch that it came with.
    var batch: ClosedRange<Int>
  }

  package var name: String
  package let image: DiskImage
  /// The payload of every event, by number, from 1.
  let events: [[UInt8]]
  /// How many of them were durable when the journal was left.
  let promised: Int
  /// Where the events stand, from the first one that is kept.
  let places: [Place]
  /// How many events come before its first one: they were retired on purpose, or are a parent's.
  let retired: Int
  /// The bodies of the keyframes, in their order.
  let keyframes: [KeptKeyframe]
  /// The domain of the events, with the last catalogue.
  let domain: JournalDomain?
  /// How many bytes of each file may not change unnoticed, because somebody was promised that they would last.
  private let promisedEnds: [String: Int]

  /// Runs a program and takes what it leaves; `nil` when the program does not work.
  ///
  /// - Parameters:
  ///   - image: what is on the device before.
  ///   - events: the events of the journal on it.
  ///   - keyframeInterval: how many events lie between two keyframes; none are written without it.
  package init?(
    _ name: String, _ workload: Workload, on image: DiskImage = DiskImage(), events: [[UInt8]] = [],
    keyframeInterval: Int? = nil
  ) {
    let run = workload.run(on: image, events: events)
    guard run.failures.isEmpty else { return nil }
    var disk = Disk(image)
    for operation in run.operations { disk.perform(operation) }
    let now = run.chronicle.now
    self.init(
      name, leaving: disk.image(Fates(.all(.kept))), events: now.events, promised: now.promised,
      keyframeInterval: keyframeInterval)
  }

  /// Takes a journal that is there; `nil` when it does not hold these events and no others.
  ///
  /// - Parameters:
  ///   - image: what is on the device.
  ///   - events: the events of its history by number, also those that this journal does not keep.
  ///   - promised: how many of them were durable.
  package init?(
    _ name: String, leaving image: DiskImage, events: [[UInt8]], promised: Int, keyframeInterval: Int? = nil
  ) {
    self.name = name
    self.events = events
    self.promised = promised
    var image = image
    do throws(JournalError) {
      var keyframes: [KeptKeyframe] = []
      if let keyframeInterval { keyframes = try KeptKeyframe.write(every: keyframeInterval, to: &image) }
      self.keyframes = keyframes
      image.files = image.files.filter { !$0.key.hasSuffix("/LOCK") }
      self.image = image
      let reader = try JournalReader(path: Workload.path, fileSystem: RecordingFileSystem(image))
      let catalog = try reader.catalog(at: .max)
      domain = try reader.domain.flatMap { (name) throws(JournalError) in
        try catalog.map { (bytes) throws(JournalError) in try JournalDomain(name: name, catalog: bytes) }
      }
      retired = Int(reader.firstSequence) - 1
      places = try Self.places(reader, image)
      guard retired + places.count == events.count else { return nil }
      promisedEnds = Self.promisedEnds(reader, image, promised, places)
    } catch {
      return nil
    }
  }

  /// The files in the order in which tables list them.
  var paths: [String] { image.files.keys.sorted() }

  /// Whether a file with this in it is one in which a change must count as damage.
  func breaksPromise(_ path: String, _ altered: [UInt8]?) -> Bool {
    let bytes = image.files[path] ?? []
    // Nothing says which checkpoints there are: each may be removed at any time, and no event is in it, unless it stands
    // for retired ones. And a journal in which nothing was ever promised is the same as one whose creation was not
    // finished.
    guard let altered else { return (!path.hasSuffix(".ckpt") || retired > 0) && promised > 0 }
    let end = promisedEnds[path] ?? 0
    if altered.count < end { return true }
    if end == bytes.count, altered.count != end { return true }
    return altered[..<end] != bytes[..<end]
  }

  /// Whether an event may be missing when a file has these bytes: its own bytes are others, or, where nothing proves that
  /// they were ever durable, those of its batch are, which enters as a whole or not at all.
  func mayLose(_ number: Int, _ path: String, _ altered: [UInt8]?) -> Bool {
    let batch = number > promised ? places[number - 1 - retired].batch : number...number
    return batch.contains { number in
      let place = places[number - 1 - retired]
      guard place.file == path, let bytes = image.files[path] else { return false }
      guard let altered, altered.count >= place.range.upperBound else { return true }
      return altered[place.range] != bytes[place.range]
    }
  }

  private static func places(_ reader: JournalReader, _ image: DiskImage) throws(JournalError) -> [Place] {
    var places: [Place] = []
    let retired = Int(reader.firstSequence) - 1
    var first = retired + 1
    var cursor = try reader.cursor()
    while let item = try cursor.next() {
      guard case .event(let event) = item else { continue }
      let path = "\(Workload.path)/\(event.file)"
      let start = Int(event.offset)
      let number = retired + places.count + 1
      places.append(
        Place(file: path, range: start..<start + (16 + event.payload.count + 7) / 8 * 8, batch: first...number))
      // The frame's position word says whether it is the last of its batch.
      if let bytes = image.files[path], bytes[start + 7] & 0x40 != 0 {
        for earlier in first...number { places[earlier - 1 - retired].batch = first...number }
        first = number + 1
      }
    }
    return places
  }

  private static func promisedEnds(
    _ reader: JournalReader, _ image: DiskImage, _ promised: Int, _ places: [Place]
  ) -> [String: Int] {
    var ends = image.files.mapValues(\.count)
    if !reader.wasClosed { ends["\(Workload.path)/HEAD"] = 0 }
    let segments = reader.segments
    for (index, segment) in segments.enumerated() {
      let isWhole =
        index + 1 < segments.count ? segments[index + 1].predecessorEnd == .sealed : reader.wasClosed
      guard !isWhole else { continue }
      let path = "\(Workload.path)/\(segment.file)"
      let retired = Int(reader.firstSequence) - 1
      ends[path] = places.prefix(promised - retired).last { $0.file == path }?.range.upperBound ?? 224
    }
    return ends
  }
}
