import Journal

/// A keyframe of a fixture journal: what must come back, or nothing.
struct KeptKeyframe: Hashable, Sendable {
  let sequence: UInt64
  let chain: UInt32
  let body: [UInt8]
  /// Its bytes in the file `KEYFRAMES`.
  let range: Range<Int>

  static let path = "\(Workload.path)/KEYFRAMES"

  /// Writes a keyframe after every so many events, with bodies that take one page and two pages in turn.
  static func write(every interval: Int, to image: inout DiskImage) throws(JournalError) -> [KeptKeyframe] {
    let fileSystem = RecordingFileSystem(image)
    let reader = try JournalReader(path: Workload.path, fileSystem: fileSystem)
    var replacement = try KeyframeReplacement(reader)
    var written: [KeptKeyframe] = []
    var cursor = try reader.cursor()
    while let item = try cursor.next() {
      guard case .event(let event) = item, Int(event.sequence) % interval == 0 else { continue }
      let pages = 1 + written.count % 2
      let body = Workload.payload(Int(event.sequence), pages * 4024 - 300, generation: 5)
      try replacement.append(sequence: event.sequence, chain: event.chain, body: body)
      let start = written.last?.range.upperBound ?? 0
      written.append(
        KeptKeyframe(
          sequence: event.sequence, chain: event.chain, body: body, range: start..<start + pages * 4096))
    }
    try replacement.install()
    image = fileSystem.image
    return written
  }
}

extension DamageCheck {
  /// Reads the keyframes of a journal whose file of keyframes was altered: each is the one that was written, or none at
  /// all, and only those that were hit are missing.
  func readKeyframes(
    _ reader: JournalReader, _ altered: [UInt8]?, _ outcome: inout Outcome
  ) throws(JournalError) {
    var found: Set<UInt64> = []
    var isNoticed = altered == nil
    if let file = try reader.keyframes() {
      var last: KeyframeStep?
      while let step = file.next(after: last) {
        last = step
        guard case .entry(let keyframe) = step, let body = try? file.body(of: keyframe) else {
          isNoticed = true
          continue
        }
        note(keyframe, body, &outcome)
        found.insert(keyframe.sequence)
      }
      for sequence in stride(from: UInt64(0), through: UInt64(fixture.events.count), by: 3) {
        guard let keyframe = try file.last(notAfter: sequence), let body = try? file.body(of: keyframe) else {
          continue
        }
        if keyframe.sequence > sequence { outcome.failures.append("a keyframe after the position that was asked for") }
        note(keyframe, body, &outcome)
      }
    }
    let missing = fixture.keyframes.filter { !found.contains($0.sequence) }
    outcome.lost = missing.count
    outcome.verdict = isNoticed || !missing.isEmpty ? "indexDamaged" : Outcome.unnoticed
    for keyframe in missing {
      let original = fixture.image.files[path] ?? []
      guard let altered, altered.count >= keyframe.range.upperBound else { continue }
      if altered[keyframe.range] == original[keyframe.range] {
        outcome.failures.append("keyframe \(keyframe.sequence) is lost without cause")
      }
    }
    if try !reader.verify().findings.isEmpty { outcome.failures.append("keyframes count as damage of the journal") }
  }

  private func note(_ keyframe: Keyframe, _ body: [UInt8], _ outcome: inout Outcome) {
    let isRight = fixture.keyframes.contains {
      $0.sequence == keyframe.sequence && $0.chain == keyframe.chain && $0.body == body
    }
    guard !isRight else { return }
    outcome.wrong += 1
    outcome.isSilent = true
    outcome.failures.append("a keyframe that was never written")
  }
}
