import Journal
import WireFormat

extension JournaledEvent {
  /// Reads the event back from what is written of it.
  ///
  /// - Throws: `outOfRange` if that is another event. Names the type, and the property that is lost.
  @usableFromInline
  func checkReadBack(version: UInt32) throws(JournalError) {
    let name = Self.catalog[type]?.name ?? "\(type)"
    var writer = WireWriter()
    encodeBody(into: &writer)
    let read: Self?
    do throws(WireError) {
      read = try WireReader.decode(writer.bytes) { (reader) throws(WireError) in
        try Self.decode(type: type, version: version, body: &reader)
      }
    } catch {
      throw JournalError(unreadable: "an event of type \(name)", "\(error)")
    }
    guard let read else {
      throw JournalError(unreadable: "an event of type \(name)", "'decode' does not know version \(version) of it")
    }
    if self == read { return }
    guard let path = StoredProperty.firstDifference(self, read) else { return }
    throw JournalError(lost: path, of: "an event of type \(name)")
  }
}

extension JournalError {
  /// Refuses to write what could not be read back.
  init(unreadable thing: String, _ why: String) {
    self.init(
      .outOfRange, "\(thing) could not be read back: \(why)", remedy: "let reading accept all that writing does")
  }

  /// Refuses to write what would be read back as something else.
  init(lost path: [String], of thing: String) {
    self.init(
      .outOfRange,
      "\(thing) would be read back with another \(path.isEmpty ? "value" : path.joined(separator: ".")) than it has",
      remedy: "visit the property in the list of fields, and let reading undo what writing does")
  }
}

extension StateCheckpoint {
  /// The most bytes of a state that is read back before it is stored. Only debug builds do.
  private static var maximumLengthToReadBack: Int { 1 << 20 }

  /// Reads the state back from what is stored of it.
  ///
  /// - Throws: `outOfRange` if that is another state. Names the property that is lost.
  func checkReadBack<Machine: Reducer>(of state: Machine.State, by machine: Machine.Type) throws(JournalError) {
    #if DEBUG
      guard slices.reduce(0, { $0 + $1.bytes.count }) <= Self.maximumLengthToReadBack else { return }
      let read: Machine.State
      do throws(WireError) {
        read = try StoredState(
          slices.map { ($0.name, $0.bytes) }, revision: reducerRevision, initial: Machine.initialState
        ).decoded()
      } catch {
        throw JournalError(unreadable: "the state", "\(error)")
      }
      if state != read, let path = StoredProperty.firstDifference(state, read) {
        throw JournalError(lost: path, of: "the state")
      }
    #endif
  }
}
