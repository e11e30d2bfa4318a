import AppProtectionKit
import Journal

/// The places on a phone that belong to the app. A folder stands for the phone.
struct Phone {
  private let path: String
  private let app: String
  /// The file system; on a phone, an app uses Foundation's `FileManager` just as well.
  let disk = PosixFileSystem()

  init(_ options: Options) {
    path = options.phone
    app = options.app
  }

  /// Names the app to the service and to the key store.
  var bundleID: String { "com.contoso.\(app)" }
  /// The app's container.
  var container: String { "\(path)/\(app)" }
  /// The history of everything that the kit decided. `pj log` prints it.
  var journal: String { "\(container)/journal" }
  /// Tells the keys of this installation from those of an earlier one, whose container is gone.
  private var installation: String { "\(container)/installation" }
  /// Where the share extension leaves what the app is to do.
  var spool: String { "\(container)/spool" }
  /// A folder with notes for each account.
  var documents: String { "\(container)/documents" }
  /// Which notes were on the screen last.
  var lastShown: String { "\(container)/last-shown" }
  /// The names of the folders beside the containers of apps.
  static let sharedFolders = ["shared", "keychain"]
  /// The keys of the accounts, in the folder that a publisher's apps share, so that they read each other's files.
  private var keys: String { "\(path)/shared/keys" }
  /// Stands for the system's keychain: what the app may read, and what lies in none of its folders.
  private var keychain: String { "\(path)/keychain" }

  func makeFolders() throws {
    for folder in [path, "\(path)/shared", keychain, container, documents] {
      try PhoneError.naming(folder) { () throws(FileSystemError) in try disk.makeFolder(folder) }
    }
  }

  /// Forgets whose notes were on the screen if they are this account's, also where a process died while it wrote that down. That
  /// there were some stays.
  func forgetShown(_ account: AccountNumber) throws(PhoneError) {
    let (draft, screen) = (lastShown + PosixFileSystem.draftSuffix, Screen.account(account))
    try PhoneError.naming(lastShown) { () throws(FileSystemError) in
      if Screen(text: disk.text(of: lastShown)) == screen {
        // Its draft goes with it.
        try disk.replace(lastShown, with: Array(Screen.gone.text.utf8))
      } else if Screen(text: disk.text(of: draft)) == screen {
        try disk.remove(draft)
      }
    }
  }

  /// Whether the app was started before, even if its journal or its name was lost since.
  var hasRun: Bool { (try? disk.list(container))?.contains { ["journal", "installation"].contains($0) } == true }

  private func names(in folder: String) throws -> [String] {
    try PhoneError.naming(folder) { () throws(FileSystemError) in try disk.list(folder) }
  }

  /// Opens the keys of the accounts. Only an app that never ran begins a new key file: one whose keys were lost must not take
  /// its people for erased.
  func openKeys() throws -> AccountKeys {
    let (wrapping, isFirstLaunch) = (WrappingKeychain(disk: disk, folder: keychain), !hasRun)
    if isFirstLaunch, try !names(in: keychain).contains(WrappingKeychain.first) {
      guard try !names(in: "\(path)/shared").contains("keys") else {
        throw PhoneError(
          keys, "the keychain has lost the key that opens this file",
          remedy: "Restore the keychain; or move the file away, and give up what the apps of this phone encrypted")
      }
      try PhoneError.naming(keychain) { () throws(FileSystemError) in try wrapping.begin() }
    }
    let store = try FileKeyStore(
      at: keys, create: isFirstLaunch, wrappingKeys: wrapping, randomBytes: { SystemRandom.bytes($0) })
    return try AccountKeys(store: store, app: bundleID, installation: installation, create: isFirstLaunch)
  }
}

/// The user's PIN stays in the keychain: the engine learns its form, and whether what was entered is right.
extension Phone: PINKeeper {
  /// The PINs, the last one in force.
  private var pins: [Substring] { disk.text(of: "\(keychain)/pins")?.split(separator: "\n") ?? [] }
  /// A PIN of which the rules have not been heard, below the time of the one before.
  private var proposal: String { "\(keychain)/proposed-pin" }

  func isRight(_ pin: String) -> Bool { pins.last.map(String.init) == pin }

  func age(of pin: String) -> UInt32? {
    let pins = pins
    return pins.lastIndex { $0 == pin }.map { UInt32(pins.count - $0) }
  }

  func propose(_ pin: String, replacing setAt: Int64?) -> Bool {
    (try? disk.replace(proposal, with: Array("\(setAt?.description ?? "none")\n\(pin)".utf8))) != nil
  }

  func resolveProposal(_ setAt: Int64?) {
    guard let lines = disk.text(of: proposal)?.split(separator: "\n"), lines.count == 2 else { return }
    // A process that died in between may have kept it already.
    if let setAt, lines[0] != "\(setAt)", pins.last != lines[1] {
      guard
        (try? disk.replace("\(keychain)/pins", with: Array((pins + [lines[1]]).joined(separator: "\n").utf8))) != nil
      else { return }
    }
    try? disk.remove(proposal)
  }
}

/// What the app needs on its phone is not there, or something else is in its place. Nothing was removed.
struct PhoneError: Error, CustomStringConvertible {
  let description: String

  init(_ path: String, _ reason: String, remedy: String) { description = "\(path): \(reason). \(remedy)." }

  /// Calls the file system, whose errors do not say which file they are about.
  static func naming<Value>(
    _ path: String, _ body: () throws(FileSystemError) -> Value
  ) throws(PhoneError) -> Value {
    do throws(FileSystemError) { return try body() } catch {
      throw PhoneError(path, "\(error)", remedy: "Check the path, its permissions and the disk")
    }
  }
}

extension PosixFileSystem {
  /// The name of a file until it is complete.
  static let draftSuffix = ".draft"

  /// Makes a folder unless it is there.
  func makeFolder(_ path: String) throws(FileSystemError) {
    do throws(FileSystemError) { try createDirectory(path) } catch { _ = try list(path) }
  }

  /// All bytes of a small file. A user who edits the phone's folders can make one longer than any memory.
  func contents(of path: String) throws(FileSystemError) -> [UInt8] {
    let file = try open(path, .read)
    defer { close(file) }
    let size = try size(of: file)
    guard size <= 1 << 20 else { throw FileSystemError(AppProcess.fileTooLarge, during: "read") }
    var bytes = [UInt8](repeating: 0, count: Int(size))
    var count = 0
    while count < bytes.count {
      let read = try bytes.withUnsafeMutableBufferPointer { (bytes) throws(FileSystemError) in
        try self.read(
          file, into: UnsafeMutableRawBufferPointer(rebasing: UnsafeMutableRawBufferPointer(bytes)[count...]),
          at: UInt64(count))
      }
      guard read > 0 else { break }
      count += read
    }
    // The same array, so that who clears a key in it clears the only one.
    bytes.removeLast(bytes.count - count)
    return bytes
  }

  /// The text of a file; `nil` if there is none.
  func text(of path: String) -> String? {
    (try? contents(of: path)).map { String(decoding: $0, as: UTF8.self) }
  }

  /// Gives a file new contents: after a crash, the old ones or the new ones are there.
  func replace(_ path: String, with bytes: [UInt8]) throws(FileSystemError) {
    try bytes.withUnsafeBufferPointer { (bytes) throws(FileSystemError) in
      try replace(path, with: UnsafeRawBufferPointer(bytes))
    }
  }

  func replace(_ path: String, with bytes: UnsafeRawBufferPointer) throws(FileSystemError) {
    let draft = path + Self.draftSuffix
    let file = try open(draft, .replace)
    defer { close(file) }
    var count = 0
    while count < bytes.count {
      count += try write(file, UnsafeRawBufferPointer(rebasing: bytes[count...]), at: UInt64(count))
    }
    try sync(file)
    try rename(draft, to: path)
  }
}
