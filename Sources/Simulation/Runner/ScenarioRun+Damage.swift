import JSON
import Journal

extension ScenarioRun {
  /// The longest file that can be damaged, in bytes.
  private static let maximumLength = 1 << 30

  /// Damages the finished journal.
  mutating func inflict(_ damage: Damage, at position: JSONPosition) throws(ScenarioError) {
    let (file, start) = try place(of: damage.target, position)
    let name = path + "/" + file
    var bytes = try contents(of: name, position)
    // A negative offset counts from the end of the file; both bounds are too small for the sum to overflow.
    let offset = damage.offset < 0 ? bytes.count + damage.offset : start + damage.offset
    guard offset >= 0, offset < bytes.count else {
      throw refused(position, "\(file) has \(bytes.count) bytes, so byte \(offset) is outside it")
    }
    switch damage.harm {
    case .flipBit(let bit): bytes[offset] ^= 1 << UInt8(bit)
    case .cut: bytes.removeSubrange(offset...)
    }
    do throws(ScenarioFiles.SystemError) {
      try ScenarioFiles.overwrite(name, with: bytes)
    } catch {
      throw refused(position, "\(file) cannot be written: \(error.reason)")
    }
  }

  private func contents(of name: String, _ position: JSONPosition) throws(ScenarioError) -> [UInt8] {
    do throws(ScenarioFiles.SystemError) {
      if let bytes = try ScenarioFiles.contents(of: name, limit: Self.maximumLength) { return bytes }
    } catch {
      throw refused(position, "\(name) cannot be read: \(error.reason)")
    }
    throw refused(position, "\(name) is longer than \(Self.maximumLength) bytes")
  }

  /// The file to damage, and the offset in it from which the damage's own offset counts.
  private func place(
    of target: Damage.Target, _ position: JSONPosition
  ) throws(ScenarioError) -> (file: String, start: Int) {
    if case .file(let name) = target, name != Damage.lastSegment { return (name, 0) }
    let found: (file: String, start: Int)?
    do throws(JournalError) {
      let reader = try JournalReader(path: path)
      if case .event(let sequence) = target {
        found = try frame(of: sequence, reader)
      } else {
        found = reader.segments.last.map { ($0.file, 0) }
      }
    } catch {
      throw refused(position, "the journal cannot be read: \(error)")
    }
    guard let found else { throw refused(position, "the journal has no such event or segment") }
    return found
  }

  private func frame(of sequence: UInt64, _ reader: JournalReader) throws(JournalError) -> (file: String, start: Int)? {
    var cursor = try reader.cursor(after: sequence - 1)
    while let item = try cursor.next() {
      if case .event(let event) = item, event.sequence == sequence { return (event.file, Int(clamping: event.offset)) }
    }
    return nil
  }

  private func refused(_ position: JSONPosition, _ message: String) -> ScenarioError {
    ScenarioError(
      .damageRefused, file: scenario.file, at: position, message: message,
      remedy: "inspect the journal that the scenario writes without this step")
  }
}
