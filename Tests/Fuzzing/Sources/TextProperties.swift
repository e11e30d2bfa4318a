import AppProtection
import EventSourcing
import PolicyDocuments
import PropertyList
import WireFormat

/// What must hold for any bytes in documents that are not JSON, in logs and in catalogues.
enum TextProperties {
  /// A property list: what is added to it, and nothing else, is there when it is read again.
  static func checkPropertyList(_ bytes: [UInt8]) throws(PropertyFailure) {
    try checkDocument(bytes, named: "a.plist")
    let limits = PropertyList.Limits(values: 20_000)
    guard let list = try? PropertyList.read(bytes, limits: limits), let before = list.root.dictionary,
      before["fuzz"] == nil
    else { return }
    let edit = PropertyListEdit(PropertyListPath(), .add(.init("fuzz", .text("x"))))
    guard let edited = try? PropertyList.edited(bytes, by: [edit], limits: limits) else { return }
    let after = (try? PropertyList.read(edited, limits: limits))?.root.dictionary
    try require(after?["fuzz"]?.string == "x", "what was added to a property list is not there")
    try require(
      after.map { Array($0.entries.filter { $0.key != "fuzz" }) == Array(before.entries) } ?? false,
      "an edit changes more of a property list than it says")
  }

  /// A document with a name that says what it is: it is read, or refused with a reason and a next step.
  static func checkDocument(_ bytes: [UInt8], named name: String) throws(PropertyFailure) {
    do throws(PolicyDocumentError) {
      _ = try PolicyFile.read(bytes, name: name)
    } catch {
      try require(!error.description.isEmpty, "a refused document has no reason")
    }
  }

  /// A log of the SDK: what is made of it are events that are understood.
  static func checkLog(_ bytes: [UInt8]) throws(PropertyFailure) {
    var log = FieldLog()
    log.read([FieldLog.File("log", bytes)])
    for envelope in FieldLogJournal(log).envelopes.prefix(50) {
      var writer = WireWriter()
      envelope.encode(into: &writer)
      let record = writer.bytes.withUnsafeBytes {
        RecordedEvent<AppProtectionEvent>(sequence: 1, chain: 0, payload: $0)
      }
      try require(record.event != nil, "an event that was made of a log is not understood")
      try ContentProperties.checkPayload(writer.bytes)
    }
  }

  /// A catalogue says the same after it was written and read again.
  static func checkCatalog(_ bytes: [UInt8]) throws(PropertyFailure) {
    let catalog: EventCatalog
    do throws(CatalogError) {
      catalog = try EventCatalog(decoding: bytes)
    } catch {
      return try require(!error.description.isEmpty, "a refused catalogue has no reason")
    }
    let written = catalog.encode()
    guard let again = try? EventCatalog(decoding: written) else {
      throw PropertyFailure("a catalogue cannot be read again")
    }
    try require(again.encode() == written, "a catalogue is another one after writing and reading")
    try require(
      again.fingerprint() == catalog.fingerprint(), "a catalogue has another fingerprint when it is read again")
  }
}
