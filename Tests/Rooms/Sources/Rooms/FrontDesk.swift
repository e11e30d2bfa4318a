import EventSourcing
import EventSourcingKit
import FileProtection
import Foundation

package struct FrontDesk {
  package let store: EventStore<House>
  package let keys: JournalKeys

  package init(in folder: String) throws {
    let isNew = !FileManager.default.fileExists(atPath: "\(folder)/journal")
    let wrapping = try Self.wrappingKey(at: "\(folder)/wrapping-key", create: isNew)
    let keyFile = try FileKeyStore(
      at: "\(folder)/keys", create: isNew, wrappingKey: { wrapping }, randomBytes: { SystemRandom.bytes($0) })
    keys = JournalKeys(store: keyFile, scope: "com.example.rooms")
    var options = StoreOptions()
    options.sealing = keys.sealing
    store = try EventStore<House>.open(at: "\(folder)/journal", create: isNew, options: options)
  }

  /// Reads the key that wraps all others. An app keeps it in the keychain, and not beside the file that it opens.
  private static func wrappingKey(at path: String, create: Bool) throws -> SecretKey {
    if create, !FileManager.default.fileExists(atPath: path) {
      let file = open(path, O_WRONLY | O_CREAT | O_EXCL, 0o600)  // for no other user, from the first moment
      guard file >= 0 else { throw Refusal("\(path) cannot be created") }
      try FileHandle(fileDescriptor: file, closeOnDealloc: true).write(
        contentsOf: SystemRandom.bytes(SecretKey.byteCount))
    }
    guard let key = SecretKey(bytes: Array(try Data(contentsOf: URL(filePath: path)))) else {
      throw Refusal("\(path) is not a key of \(SecretKey.byteCount) bytes")
    }
    return key
  }

  package func book(room: UInt64, for guest: UInt64, nights: UInt64, seen version: UInt64) throws {
    try store.append(
      .booked(room: room, guest: guest, nights: nights), at: .now(), expecting: .entity(.room(room), at: version))
  }

  package func name(of guest: UInt64) -> String {
    guard let guest = store.state.guests[key: guest] else { return "a guest without a name" }
    return guest.$name.isReadable ? guest.name : "a guest who was erased"
  }

  package func description(of room: UInt64) throws -> String {
    let version = try store.version(of: .room(room))  // before the state, which is then at least as new
    guard let row = store.state.rooms[key: room] else { return "there is no room \(room)" }
    let guest = row.guest.map { "taken by \(name(of: $0))" } ?? "free"
    return "room \(room) is \(guest), at version \(version)"
  }
}
