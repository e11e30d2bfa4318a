import Journal

/// The protected files in an app's container, found by their headers: the files themselves say whose they are.
///
/// ```swift
/// let removal = OwnedFiles(in: container, protector: protector).wipe(["alice@contoso.com"])
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

    mutating func note(_ failure: String) { self.failure = self.failure ?? failure }
  }

  private let root: String
  private let protector: Protector
  /// Folders within folders beyond this depth are reported and left alone.
  private static let maximumDepth = 128

  /// The files below a folder.
  public init(in root: String, protector: Protector) {
    self.root = root
    self.protector = protector
  }

  /// Wipes an account: destroys its key, so that its files can never be read again, neither here nor in a copy or a backup, and
  /// then removes them.
  ///
  /// May be repeated, also after a crash at any point, until nothing is left: the key store remembers which keys the account
  /// had. Files that other apps encrypted for the account, with keys of their own, stay. Files whose key was destroyed before,
  /// for whatever account, go as well.
  ///
  /// - Parameter accounts: The names of the account, as its files were protected for them.
  public func wipe(_ accounts: [String]) -> Removal {
    var removal = Removal()
    var ids: Set<KeyID> = []
    for account in accounts {
      let name = KeyName(scope: protector.scope, account: account)
      do throws(KeyStoreError) {
        ids.formUnion(try protector.keys.keyIDs(named: name))
        if case .key? = try protector.keys.key(named: name) { try protector.keys.destroyKey(named: name) }
      } catch {
        removal.note("the account's key: \(error)")
        return removal
      }
    }
    let owners = Set(accounts)
    walk(&removal) { file in
      switch file {
      // Another key that was destroyed is that of a wiped or erased account: nothing can read the file.
      case .encrypted(let id): ids.contains(id) || (try? protector.keys.key(id)) == .destroyed
      case .marked(let owner): owners.contains(owner)
      case .leftover: true
      }
    }
    return removal
  }

  /// Removes what processes left that died while they protected or unprotected a file: decrypted text among it. Call it when
  /// the app starts, before it uses files.
  public func removeLeftovers() -> Removal {
    var removal = Removal()
    walk(&removal) { $0 == .leftover }
    return removal
  }

  // MARK: Walking

  private enum Found: Equatable {
    case encrypted(KeyID)
    case marked(owner: String)
    case leftover
  }

  private func walk(_ removal: inout Removal, _ isRemoved: (Found) -> Bool) {
    do throws(FileSystemError) {
      let folder = try Platform.openFolder(root)
      defer { Platform.closeFile(folder) }
      let device = try Platform.status(of: folder).device
      walk(folder, root, device, depth: 0, &removal, isRemoved)
    } catch {
      removal.note("\(root): \(error)")
    }
  }

  private func walk(
    _ folder: Int32, _ path: String, _ device: UInt64, depth: Int, _ removal: inout Removal,
    _ isRemoved: (Found) -> Bool
  ) {
    var names: [String] = []
    do throws(FileSystemError) {
      names = try Platform.names(in: folder)
    } catch {
      removal.note("\(path): \(error)")
    }
    let before = removal.count
    for name in names {
      let path = "\(path)/\(name)"
      do throws(FileSystemError) {
        // Neither a link, nor a pipe or device, nor another file system.
        let status = try Platform.status(of: name, in: folder)
        guard status.isFile || status.isFolder, status.device == device else { continue }
        let entry = try Platform.openEntry(name, in: folder)
        defer { Platform.closeFile(entry) }
        // The name may lead elsewhere by now.
        guard try Platform.status(of: entry) == status else { continue }
        if status.isFolder {
          guard depth < Self.maximumDepth else {
            removal.note("\(path): more than \(Self.maximumDepth) folders within each other")
            continue
          }
          walk(entry, path, device, depth: depth + 1, &removal, isRemoved)
        } else if let found = try found(name, entry), isRemoved(found),
          try Platform.status(of: name, in: folder) == status
        {
          try Platform.remove(name, in: folder)
          removal.count += 1
        }
      } catch {
        // Gone already: another thread removed it.
        if !error.meansMissing { removal.note("\(path): \(error)") }
      }
    }
    guard removal.count > before else { return }
    do throws(FileSystemError) { try Platform.sync(folder) } catch { removal.note("\(path): \(error)") }
  }

  private func found(_ name: String, _ file: Int32) throws(FileSystemError) -> Found? {
    if Leftover.allCases.contains(where: { name.hasSuffix($0.suffix) }) { return .leftover }
    var copies: [[UInt8]] = []
    for number in 0..<Layout.headerPages {
      copies.append(try Platform.read(file, count: Layout.page, at: number * Layout.page))
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
