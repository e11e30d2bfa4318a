import EventSourcing
import EventSourcingKit
import Expectations
import FileProtection
import Foundation
import Testing

private enum Guest: EventList {
  case booked(number: UInt64 = 0, name: Personal<String> = "")

  static let types = EventTypes<Guest>("guests", .booked())

  func visit<V>(_ list: inout EventVisitor<V>) throws(V.Failure) -> Guest {
    switch self {
    case .booked(let number, let name):
      try list.event(
        1, "guest.booked",
        .booked(number: list.field(1, "number", number), name: list.field(2, "name", name, privacy: .account)))
    }
  }

  var sealingAccount: UInt64 {
    switch self {
    case .booked(let number, _): number
    }
  }
}

private struct Guests: Aggregate {
  var last: UInt64 = 0
  @Personal var name = ""

  mutating func visit<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
    try field(1, "last", &last)
    try field(2, "name", &$name, privacy: .account)
  }
  mutating func apply(_ guest: Guest, _ context: EventContext) {
    switch guest {
    case .booked(let number, let name): (last, $name) = (number, name)
    }
  }
}

@Suite("The keys of an own domain's journal, in a key file")
struct JournalKeysTests {
  private let folder: URL
  private let wrapping: SecretKey

  init() throws {
    folder = FileManager.default.temporaryDirectory.appending(path: "journal-keys-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: false)
    wrapping = try #require(SecretKey(bytes: SystemRandom.bytes(SecretKey.byteCount)))
  }

  private func keys(_ file: String = "keys", create: Bool, scope: String = "com.contoso.rooms") throws -> JournalKeys {
    let wrapping = wrapping
    let store = try FileKeyStore(
      at: folder.appending(path: file).path, create: create, wrappingKey: { wrapping },
      randomBytes: { SystemRandom.bytes($0) })
    return JournalKeys(store: store, scope: scope)
  }

  private func open(_ keys: JournalKeys, create: Bool = false) throws -> EventStore<Guests> {
    var options = StoreOptions()
    options.sealing = keys.sealing
    return try EventStore<Guests>.open(at: folder.appending(path: "journal").path, create: create, options: options)
  }

  @Test("A person is sealed, read, and erased, after which the next one has a name again")
  func erased() throws {
    defer { try? FileManager.default.removeItem(at: folder) }
    let keys = try keys(create: true)
    let store = try open(keys, create: true)
    try store.append(.booked(number: 17, name: "Ada"), at: .now())
    expectEqual(store.state.name, "Ada")
    try store.close()
    try keys.erase(17)
    try keys.erase(17)
    for number: UInt64 in [0, 71] {
      #expect { try keys.erase(number) } throws: {
        ($0 as? KeyStoreError)?.code == .refused && "\($0)".contains("number \(number) ")
      }
    }
    let again = try open(try self.keys(create: false))
    expectEqual(again.state.name, "")
    // A number whose erasure was refused is as good as new.
    try again.append(.booked(number: 71, name: Personal("Bob")), at: .now())
    expectEqual(again.state.name, "Bob")
    try again.close()
  }

  @Test("Another key file, and another scope in the same one, are refused by name")
  func others() throws {
    defer { try? FileManager.default.removeItem(at: folder) }
    let store = try open(try keys(create: true), create: true)
    try store.append(.booked(number: 17, name: "Ada"), at: .now())
    try store.close()
    let other = try keys("other", create: true)
    let scoped = try keys(create: false, scope: "com.contoso.desks")
    for wrong in [other, scoped] {
      #expect { try open(wrong) } throws: { "\($0)".contains("the key store has no key number 0") }
      // As one that has served another journal.
      _ = try wrong.keyForSealing(0)
      #expect { try open(wrong) } throws: { "\($0)".contains("the key store is that of another journal") }
    }
  }
}
