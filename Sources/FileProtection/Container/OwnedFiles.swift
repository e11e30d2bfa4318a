import Journal

/// The protected files in an app's container, found by their headers: the files themselves say whose they are.
///
/// ```swift
/// let removal = OwnedFiles(in: container, protector: protector).wipe(account, owners: ["alice@contoso.com"])
/// print(removal.count, "files removed")
/// ```
///
/// Walks the folder and everything below it, on the file system that it is on. Links are neither followed nor removed, so
/// nothing outside is ever read or removed. Files without a header, those of other owners, and files of any other kind stay.
public struct OwnedFiles: Sendable {
  /// What a walk removed.
  public struct Removal: Equatable, Sendable {
    /// Files removed.
    public var count = 0
    /// Why some files remain, about the first of them; `nil` if none remain.
    public var failure: String?

    /// Nothing was removed, and nothing remains.
    public init() {}

    mutating func recordFailure(_ failure: String) { self.failure = self.failure ?? failure }
  }

  private let root: String
  private let protector: Protector
  /// Folders within folders beyond this depth are reported and left alone.
  private static let maximumDepth = 128
  /// How often the folder is walked through while files in it move.
  private static let maximumPasses = 8
  /// Called with the path of each folder that a pass has walked through, for tests that move files meanwhile.
  var didWalk: @Sendable (String) -> Void = { _ in }
  /// Called for each file that was removed, with its key if it was encrypted.
  package var didRemove: @Sendable (KeyID?) -> Void = { _ in }

  /// The files below a folder.
  public init(in root: String, protector: Protector) {
    self.root = root
    self.protector = protector
  }

  /// Wipes an account: destroys its key, so that its files can never be read again, neither here nor in a copy or a backup, and
  /// then removes them.
  ///
  /// May be repeated, also after a crash at any point, until nothing is left: the key store remembers which keys the account
  /// had. Where the device has no room for a change of the keys, the files go first. Files that other apps encrypted for the
  /// account, with keys of their own, stay. Files whose key was destroyed before, for whatever account, go as well. Everything is
  /// durable once this returns without a failure.
  ///
  /// The folder is walked through until a pass removes nothing and no folder changes from its listing to the end of that pass: a
  /// file that moves into a folder that was walked already is found by the next pass. If eight passes are not enough, the removal
  /// has a failure. It also has one where the key is destroyed and an old copy of it may remain; the files go all the same.
  ///
  /// - Parameters:
  ///   - account: The account. A program that knows of an earlier epoch only makes no key and no file any more; with the
  ///     epoch 0, no program ever does.
  ///   - owners: The names by which files that are not encrypted may know it, in any letter case.
  ///   - isOwner: Whether another name of such a file is one of the account's. A file about which this throws counts as one that
  ///     remains.
  public func wipe(
    _ account: KeyAccount, owners: [String],
    orWhere isOwner: @escaping (String) throws(KeyStoreError) -> Bool = { (_) throws(KeyStoreError) in false }
  ) -> Removal {
    var removal = Removal()
    let marked = Marked(names: Set(owners.map { $0.lowercased() }), isOwner: isOwner)
    var failure = destroyKey(of: account)
    if let code = failure?.code, code != .copyRemains {
      // A full device has no room for a change of the keys until files are gone.
      let name = KeyName(scope: protector.scope, account: account.name)
      if let own = try? protector.keys.keyIDs(named: name) { walk(&removal, .once, marked: marked, own: own) }
      removal.failure = nil
      failure = destroyKey(of: account)
    }
    if let failure {
      removal.recordFailure("the account's key: \(failure)")
      guard failure.code == .copyRemains else { return removal }
    }
    // What a wipe removed that was cut short may not be durable: every folder is synced.
    walk(&removal, .wipe, marked: marked)
    return removal
  }

  private func destroyKey(of account: KeyAccount) -> KeyStoreError? {
    do throws(KeyStoreError) {
      try protector.keys.destroyKey(
        named: KeyName(scope: protector.scope, account: account.name),
        until: account.epoch == 0 ? nil : account.epoch)
      return nil
    } catch {
      return error
    }
  }

  /// Removes what processes left that died while they made a file: decrypted text among it, and files whose key was destroyed
  /// meanwhile. Files that a process is making now stay. Call it when the app starts.
  public func removeLeftovers() -> Removal {
    var removal = Removal()
    walk(&removal, .once)
    return removal
  }

  /// Removes only what processes left that died while they made a file, and only directly in the folder: for folders outside of the
  /// container, into which the app writes copies. Nothing else is looked at.
  public func removeUnfinished() -> Removal {
    var removal = Removal()
    walk(&removal, .unfinished)
    return removal
  }

  // MARK: Walking

  private enum Found {
    case encrypted(KeyID)
    case marked(owner: String)
    case leftover
  }

  /// Whose files that are not encrypted a walk removes.
  private struct Marked {
    /// The owners, in lower case.
    var names: Set<String> = []
    /// Whether a name that is none of these is an owner's, too.
    var isOwner: (String) throws(KeyStoreError) -> Bool = { (_) throws(KeyStoreError) in false }
    /// What was found out.
    var known: [String: Bool] = [:]

    mutating func includes(_ owner: String) throws(KeyStoreError) -> Bool {
      let owner = owner.lowercased()
      if names.contains(owner) { return true }
      if let known = known[owner] { return known }
      let isIncluded = try isOwner(owner)
      known[owner] = isIncluded
      return isIncluded
    }
  }

  private enum Kind {
    /// Removes what there is to remove when it passes.
    case once
    /// Ends only when nothing is left, and syncs every folder.
    case wipe
    /// Looks at nothing but what has the name of an unfinished file.
    case unfinished
  }

  /// What a walk removes, and what it has found out.
  private struct Walk {
    var removal: Removal
    var marked: Marked
    let kind: Kind
    let device: UInt64
    /// Whether keys are destroyed, or are to be.
    var keys: [KeyID: Bool] = [:]
    /// Something that was listed was gone or another thing when it was looked at: it may have another name now.
    var hasMissed = false
  }

  /// A folder that a pass walked through.
  private struct Walked {
    /// When its names last changed before they were listed; `nil` if a later change may look the same. Only wipes look.
    var change: FolderChange?
    var inner: [(name: String, folder: Walked)] = []
  }

  /// - Parameter own: The keys whose files go although they are not destroyed yet.
  private func walk(_ removal: inout Removal, _ kind: Kind, marked: Marked = Marked(), own: Set<KeyID> = []) {
    do throws(FileSystemError) {
      let folder = try FileCalls.openFolder(root)
      defer { FileCalls.closeFile(folder) }
      var walk = Walk(
        removal: removal, marked: marked, kind: kind, device: try FileCalls.status(of: folder).device)
      for id in own { walk.keys[id] = true }
      var passes = 0
      repeat {
        walk.hasMissed = false
        let before = walk.removal.count
        let walked = visit(folder, root, depth: 0, &walk)
        passes += 1
        guard kind == .wipe, !walk.hasMissed else { continue }
        // What is removed changes its folder, so that no other change shows: one pass more is certain.
        walk.hasMissed = walk.removal.count > before || !isUnchanged(folder, walked)
      } while walk.hasMissed && passes < Self.maximumPasses
      if walk.hasMissed {
        walk.removal.recordFailure(
          "\(root): its files keep moving, also during the last of \(passes) passes, so some may remain. "
            + "Let no other program move files there, and try again.")
      }
      removal = walk.removal
    } catch {
      removal.recordFailure("\(root): \(error)")
    }
  }

  /// Whether nothing came into a folder, or into one within it, since a pass listed it.
  private func isUnchanged(_ folder: Int32, _ walked: Walked) -> Bool {
    guard let change = walked.change, (try? FileCalls.lastChange(of: folder)) == change else { return false }
    for (name, inner) in walked.inner {
      guard let entry = try? FileCalls.openEntry(name, in: folder) else { return false }
      defer { FileCalls.closeFile(entry) }
      guard isUnchanged(entry, inner) else { return false }
    }
    return true
  }

  private func visit(_ folder: Int32, _ path: String, depth: Int, _ walk: inout Walk) -> Walked {
    var walked = Walked()
    var names: [String] = []
    do throws(FileSystemError) {
      if walk.kind == .wipe { walked.change = try FileCalls.finalChange(of: folder) }
      names = try FileCalls.names(in: folder)
    } catch {
      walk.removal.recordFailure("\(path): \(error)")
    }
    let before = walk.removal.count
    for name in names where walk.kind != .unfinished || Leftover.matches(name) {
      let path = "\(path)/\(name)"
      do throws(FileSystemError) {
        // Neither a link, nor a pipe or device, nor another file system.
        let status = try FileCalls.status(of: name, in: folder)
        guard status.isFile || status.isFolder, status.device == walk.device else { continue }
        let entry = try FileCalls.openEntry(name, in: folder)
        defer { FileCalls.closeFile(entry) }
        // The name may lead elsewhere by now.
        guard try FileCalls.status(of: entry) == status else {
          walk.hasMissed = true
          continue
        }
        if status.isFolder {
          if walk.kind == .unfinished { continue }
          guard depth < Self.maximumDepth else {
            walk.removal.recordFailure("\(path): more than \(Self.maximumDepth) folders within each other")
            continue
          }
          walked.inner.append((name, visit(entry, path, depth: depth + 1, &walk)))
          continue
        }
        guard let found = try found(name, entry), isRemoved(found, path, &walk) else { continue }
        // With the lock, no program replaces the file between the last look and its end. A file that one is writing goes all
        // the same; one that is being made does not, because its maker will find the key destroyed.
        let isFree = try FileCalls.lock(entry)
        if case .leftover = found, !isFree { continue }
        guard try FileCalls.status(of: name, in: folder) == status else {
          walk.hasMissed = true
          continue
        }
        try FileCalls.remove(name, in: folder)
        walk.removal.count += 1
        if case .encrypted(let id) = found { didRemove(id) } else { didRemove(nil) }
      } catch {
        // Another thread removed it, or moved it.
        if error.meansMissing { walk.hasMissed = true } else { walk.removal.recordFailure("\(path): \(error)") }
      }
    }
    if walk.kind == .wipe || walk.removal.count > before {
      do throws(FileSystemError) { try FileCalls.sync(folder) } catch {
        walk.removal.recordFailure("\(path): \(error)")
      }
    }
    didWalk(path)
    return walked
  }

  private func isRemoved(_ found: Found, _ path: String, _ walk: inout Walk) -> Bool {
    do throws(KeyStoreError) {
      switch found {
      case .leftover: return true
      case .marked(let owner): return try walk.marked.includes(owner)
      // A key that was destroyed is that of a wiped or erased account: nothing can read the file.
      case .encrypted(let id):
        if let known = walk.keys[id] { return known }
        let isDestroyed = try protector.keys.key(id) == .destroyed
        walk.keys[id] = isDestroyed
        return isDestroyed
      }
    } catch {
      walk.removal.recordFailure("\(path): \(error)")
      return false
    }
  }

  private func found(_ name: String, _ file: Int32) throws(FileSystemError) -> Found? {
    if Leftover.matches(name) { return .leftover }
    var copies: [[UInt8]] = []
    for number in 0..<Layout.headerPages {
      copies.append(try FileCalls.read(file, count: Layout.page, at: number * Layout.page))
    }
    // Either header names the key: a crash may have damaged one.
    for bytes in copies {
      guard let beginning = try? FileHeader.Beginning(bytes) else { continue }
      if beginning.isEncrypted { return KeyID(bytes: beginning.keyID).map { .encrypted($0) } }
      return (try? FileHeader.markedOwner(bytes)).map { .marked(owner: $0) }
    }
    return nil
  }
}
