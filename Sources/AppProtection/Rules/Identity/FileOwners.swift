import EventSourcing

/// The owners of files: the rules by which the SDK assigns and changes them.
///
/// Creating a file, or opening it with truncation, sets its owner to the thread's effective identity for files
/// (``AppProtectionState/effectiveIdentity(of:onThread:isMainThread:)``). Reading and appending do not
/// change the owner. A selective wipe removes one account's files and no others.
public struct FileOwners: Equatable, Sendable {
  /// How a file is opened.
  public enum Access: String, CaseIterable, Sendable {
    /// It is created, replacing an existing file.
    case create
    /// It is opened and emptied.
    case truncate
    /// It is opened for appending.
    case append
    /// It is opened for reading.
    case read
  }

  /// One file.
  public struct File: Equatable, Sendable {
    /// The file's path.
    public let path: String
    /// The owner: an account or `unmanaged`.
    public fileprivate(set) var owner: Identity
  }

  /// The outcome of a change.
  public enum Outcome: Equatable, Sendable {
    /// The change was made, or nothing had to change.
    case done
    /// The file does not exist.
    case notFound
    /// Another account owns the file.
    case refused(owner: Identity)
  }

  /// The files in the order of their paths' bytes.
  public private(set) var files: [File] = []
  /// The assumptions that replace unpublished rules.
  public var assumptions: Assumptions

  /// Creates an empty set of files.
  public init(assumptions: Assumptions = Assumptions()) {
    self.assumptions = assumptions
  }

  /// The owner of a file; `nil` if no file exists at this path.
  public subscript(path: String) -> Identity? {
    files.first { $0.path == path }?.owner
  }

  /// The files of an account, in the order of their paths.
  public func files(of account: AccountNumber) -> [File] {
    files.filter { $0.owner == .account(account) }
  }

  /// Opens a file under an identity.
  ///
  /// Opening a missing file for writing creates it, owned by the identity.
  @discardableResult
  public mutating func open(_ path: String, _ access: Access, as identity: Identity) -> Outcome {
    switch access {
    case .create, .truncate: set(path, identity)
    case .append: if self[path] == nil { set(path, identity) }
    case .read: return self[path] == nil ? .notFound : .done
    }
    return .done
  }

  /// Sets a file's owner (`protect`).
  @discardableResult
  public mutating func protect(_ path: String, as identity: Identity) -> Outcome {
    guard self[path] != nil else { return .notFound }
    set(path, identity)
    return .done
  }

  /// Sets a file's owner unless a different account owns it (`verifyAndProtect`). The refusal is an assumption.
  @discardableResult
  public mutating func verifyAndProtect(_ path: String, as identity: Identity) -> Outcome {
    guard let owner = self[path] else { return .notFound }
    if assumptions.protectionConflictRefuses && owner.account != nil && owner != Self.normalized(identity) {
      return .refused(owner: owner)
    }
    set(path, identity)
    return .done
  }

  /// Copies a file under an identity. Whether the copy keeps the owner is an assumption.
  @discardableResult
  public mutating func copy(_ path: String, to target: String, as identity: Identity) -> Outcome {
    guard let owner = self[path] else { return .notFound }
    set(target, assumptions.copiedFilesKeepOwner ? owner : identity)
    return .done
  }

  /// Moves a file under an identity. Whether it keeps its owner is an assumption.
  @discardableResult
  public mutating func move(_ path: String, to target: String, as identity: Identity) -> Outcome {
    guard path != target else { return self[path] == nil ? .notFound : .done }
    let outcome = copy(path, to: target, as: identity)
    if outcome == .done { remove(path) }
    return outcome
  }

  /// Removes a file.
  @discardableResult
  public mutating func remove(_ path: String) -> Outcome {
    guard let place = files.firstIndex(where: { $0.path == path }) else { return .notFound }
    files.remove(at: place)
    return .done
  }

  /// Removes an account's files, as a selective wipe does, and returns their number.
  @discardableResult
  public mutating func removeFiles(of account: AccountNumber) -> Int {
    let before = files.count
    files.removeAll { $0.owner == .account(account) }
    return before - files.count
  }

  private mutating func set(_ path: String, _ identity: Identity) {
    let owner = Self.normalized(identity)
    let place = files.firstIndex { !IdentitiesSlice.precedes($0.path, path) } ?? files.endIndex
    if place < files.endIndex && files[place].path == path {
      files[place].owner = owner
    } else {
      files.insert(File(path: path, owner: owner), at: place)
    }
    assert(files.isAscending { IdentitiesSlice.precedes($0.path, $1.path) }, "files are not in order")
    assert(owner != .unset, "a file has no owner")
  }

  /// A file without a stated owner is unmanaged.
  private static func normalized(_ identity: Identity) -> Identity {
    identity == .unset ? .unmanaged : identity
  }
}
