import EventSourcing
import Expectations
import Foundation
import Journal
import ReplayTool
import Testing

@testable import CommandSupport

/// A ward, which a public GUID names.
private struct Ward: KeyedRow, FieldTree {
  var key = GUID.zero
  var beds: UInt64 = 0
  var head: String?

  static var blank: Self { Self() }

  static func visit<V: FieldVisitor>(_ ward: inout Self, _ field: inout V) throws(V.Failure) {
    try field(1, "id", &ward.key, required: true)
    try field(2, "beds", &ward.beds)
    try field(3, "head", &ward.head, privacy: .account)
  }
}

/// A nurse, whom a personal text names.
private struct Nurse: KeyedRow, FieldTree {
  var name = ""
  var shifts: [GUID: Int] = [:]

  var key: String { name.lowercased() }
  static var blank: Self { Self() }

  static func visit<V: FieldVisitor>(_ nurse: inout Self, _ field: inout V) throws(V.Failure) {
    try field(1, "name", &nurse.name, required: true, privacy: .account, shown: false)
    try field(2, "shifts", &nurse.shifts)
  }
}

/// A pager, which a number names, or the one who carries it.
private struct Pager: KeyedRow, FieldTree {
  enum Use: Int, WireEnumeration { case spare, carried, broken }

  var use = Use.spare
  var carrier = ""
  var number = ""

  var key: String { use == .carried ? carrier : number }
  static var blank: Self { Self() }

  static func visit<V: FieldVisitor>(_ pager: inout Self, _ field: inout V) throws(V.Failure) {
    try field(1, "use", &pager.use)
    try field(2, "carrier", &pager.carrier, privacy: .account)
    try field(3, "number", &pager.number)
  }
}

/// A locker, which the name within another message names.
private struct Locker: KeyedRow, FieldTree {
  struct Holder: FieldTree {
    var name = ""

    static var blank: Self { Self() }

    static func visit<V: FieldVisitor>(_ holder: inout Self, _ field: inout V) throws(V.Failure) {
      try field(1, "name", &holder.name, required: true, privacy: .account)
    }
  }

  var holder: Holder?

  var key: String { holder?.name ?? "free" }
  static var blank: Self { Self() }

  static func visit<V: FieldVisitor>(_ locker: inout Self, _ field: inout V) throws(V.Failure) {
    try field(1, "holder", &locker.holder)
  }
}

/// A shift, which all who work then name.
private struct Shift: KeyedRow, FieldTree {
  var hour: UInt64 = 0
  var nurses: Set<String> = []

  var key: String { "\(hour)-\(nurses.sorted().joined(separator: "+"))" }
  static var blank: Self { Self() }

  static func visit<V: FieldVisitor>(_ shift: inout Self, _ field: inout V) throws(V.Failure) {
    try field(1, "hour", &shift.hour)
    try field(2, "nurses", &shift.nurses, privacy: .account)
  }
}

/// A device, which a public GUID names, whatever personal fields stand beside it.
private struct Device: KeyedRow, FieldTree {
  var key = GUID.zero
  var use = Pager.Use.spare
  var holder: Locker.Holder?
  var users: [String: Int] = [:]
  var phones: [UInt8] = []

  static var blank: Self { Self() }

  static func visit<V: FieldVisitor>(_ device: inout Self, _ field: inout V) throws(V.Failure) {
    try field(1, "id", &device.key, required: true)
    try field(2, "use", &device.use)
    try field(3, "holder", &device.holder)
    try field(4, "users", &device.users, privacy: .account)
    try field(5, "phones", &device.phones, privacy: .secret)
  }
}

private enum ClinicEvent: EventList {
  case equipped(nurse: String = "", device: GUID = .zero)
  case extended(ward: GUID = .zero, beds: UInt64 = 0)
  case worked(nurse: String = "", ward: GUID = .zero)

  static let types = EventTypes<ClinicEvent>("clinic", .extended(), .worked(), .equipped())

  func visit<V>(_ list: inout EventVisitor<V>) throws(V.Failure) -> ClinicEvent {
    switch self {
    case .extended(let ward, let beds):
      try list.event(
        1, "ward.extended", .extended(ward: list.field(1, "ward", ward), beds: list.field(2, "beds", beds)))
    case .worked(let nurse, let ward):
      try list.event(
        2, "nurse.worked",
        .worked(nurse: list.field(1, "nurse", nurse, privacy: .account), ward: list.field(2, "ward", ward)))
    case .equipped(let nurse, let device):
      try list.event(
        3, "nurse.equipped",
        .equipped(nurse: list.field(1, "nurse", nurse, privacy: .account), device: list.field(2, "device", device)))
    }
  }
}

private struct Clinic: Aggregate, QuestionDomain {
  var wards = KeyedTable<Ward>()
  var nurses = KeyedTable<Nurse>()
  var pagers = KeyedTable<Pager>()
  var lockers = KeyedTable<Locker>()
  var shifts = KeyedTable<Shift>()
  var devices = KeyedTable<Device>()

  mutating func visit<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
    try field(1, "wards", &wards)
    try field(2, "nurses", &nurses)
    try field(3, "pagers", &pagers)
    try field(4, "lockers", &lockers)
    try field(5, "shifts", &shifts)
    try field(6, "devices", &devices)
  }

  mutating func apply(_ event: ClinicEvent, _ context: EventContext) {
    switch event {
    case .extended(let ward, let beds): wards.set(Ward(key: ward, beds: (wards[ward]?.beds ?? 0) + beds))
    case .worked(let name, let ward):
      var nurse = nurses[name.lowercased()] ?? Nurse(name: name)
      nurse.shifts[ward, default: 0] += 1
      nurses.set(nurse)
    case .equipped(let name, let device):
      pagers.set(Pager(use: .carried, carrier: name))
      lockers.set(Locker(holder: Locker.Holder(name: name)))
      shifts.set(Shift(hour: 6, nurses: [name]))
      devices.set(Device(key: device, use: .carried, holder: Locker.Holder(name: name), users: [name: 1]))
    }
  }
}

@Suite("Keys in the paths of an own domain")
struct KeyedPathTests {
  private static let wards = (1...2).compactMap { GUID("5f0c7d1e-0000-4000-8000-00000000000\($0)") }

  /// A journal of two wards and a nurse, and what a command prints of it.
  private func run(_ words: [String], with more: [ClinicEvent] = []) throws -> String {
    let folder = FileManager.default.temporaryDirectory.appending(path: "clinic-\(UUID().uuidString)").path
    defer { try? FileManager.default.removeItem(atPath: folder) }
    var options = StoreOptions()
    options.journal.syncPolicy = .none
    let store = try EventStore<Clinic>.create(
      at: folder, journalID: JournalID(bytes: [UInt8](repeating: 7, count: 16)) ?? .none, createdNanoseconds: 1,
      options: options)
    let events =
      (Self.wards + [Self.wards[0]]).map { ClinicEvent.extended(ward: $0, beds: 4) } + [
        .worked(nurse: "Edith", ward: Self.wards[0]), .worked(nurse: "Florence", ward: Self.wards[1]),
      ] + more
    for (index, event) in events.enumerated() {
      try store.append(event, at: Moment(wallNanoseconds: Int64(index + 1) * 60_000_000_000))
    }
    try store.close()
    let (output, notes) = (TextOutput(), TextOutput())
    let shell = ReplayTool<Clinic>(name: "clinic-tool", version: "1", summary: "looks into clinics").shell
    _ = shell.run(
      words.map { $0 == "@" ? folder : $0 }, output: output, notes: notes,
      environment: ToolEnvironment(of: shell.definition))
    return output.text + notes.text
  }

  @Test(
    "A public key tells rows apart, and a personal one is withheld, until it is revealed",
    arguments: [
      "log @", "log @ -j", "log @ --template {/nurses}{/wards}", "state @", "state @ -j", "state @ --flat",
      "state @ --path /nurses", "state @ --path /nurses -j", "fields @", "fields @ -j", "diff @ start end --full",
      "diff @ start end -j", "blame @ /wards/* /nurses/*", "blame @ /wards/* /nurses/* -j",
      "bisect @ --where /nurses/florence/shifts", "show @ 5",
    ])
  func keys(line: String) throws {
    let words = line.split(separator: " ").map(String.init)
    let (shown, revealed) = (try run(words), try run(words + ["--reveal"]))
    let pattern = "/nurses/florence/shifts"
    #expect(
      !shown.replacing(pattern, with: "").lowercased().contains("florence") && shown.contains("(withheld"), "\(shown)")
    #expect(revealed.contains("florence"), "\(revealed)")
    let wards = line.hasPrefix("bisect") || line.hasPrefix("show") ? [Self.wards[1]] : Self.wards
    for ward in wards { #expect(shown.contains("\(ward)"), "\(shown)") }
  }

  @Test(
    "A key that may come from a personal field is withheld: beside a public one, within another message, in a list",
    arguments: ["pagers", "lockers", "shifts"], ["5f0c7d1e-0000-4000-8000-0000000000aa", "Ada", "12345678"])
  func personal(table: String, nurse: String) throws {
    let event = ClinicEvent.equipped(nurse: nurse, device: Self.wards[0])
    for words in [["state", "@", "--path", "/\(table)"], ["diff", "@", "start", "end", "--full", "-j"]] {
      let shown = try run(words, with: [event])
      #expect(!shown.contains(nurse) && shown.contains("(withheld"), "\(shown)")
      #expect(try run(words + ["--reveal"], with: [event]).contains(nurse))
    }
  }

  @Test("A public key is shown beside personal fields of every kind that it does not come from")
  func beside() throws {
    let shown = try run(
      ["state", "@", "--path", "/devices"], with: [.equipped(nurse: "Ada", device: Self.wards[1])])
    #expect(shown.contains("\(Self.wards[1])") && !shown.contains("Ada"), "\(shown)")
  }

  @Test("What a shell completes names no personal key")
  func completion() throws {
    let shown = try run(["complete", "paths", "--", "/", "blame", "@"])
    #expect(shown.contains("/nurses\n") && shown.contains("/wards/\(Self.wards[0])/beds\n"), "\(shown)")
    #expect(!shown.contains("florence") && !shown.contains("(withheld"), "\(shown)")
  }

  @Test("A hint names no personal key, even where names are revealed")
  func hint() throws {
    for words in [
      ["state", "@", "--path", "/nurses/florense"], ["log", "@", "--path", "/nurses/florense", "--reveal"],
    ] {
      let text = try run(words)
      #expect(text.contains("nearest: /nurses/(withheld)"), "\(text)")
    }
  }
}
