import EventSourcing

/// Whose files are whose, and how that changes: the rules by which the SDK gives files their owners.
///
/// A file gets its owner when it is created or opened with truncation: the effective identity for files of the thread that
/// does so (``AppProtectionState/effectiveIdentity(of:onThread:isMainThread:explanation:)``). Reading and appending change
/// nothing. A selective wipe removes the files of one account and no others.
public struct FileOwners: Equatable, Sendable {
  /// How a file is opened.
  public enum Access: String, CaseIterable, Sendable {
    /// It is created; one that is there already is replaced.
    case create
    /// It is opened and emptied.
    case truncate
    /// It is opened to write at its end.
    case append
    /// It is opened to read.
    case read
  }

  /// One file.
  public struct File: Equatable, Sendable {
    /// Where it is.
    public let path: String
    /// Whose it is: an account, or nobody (`unmanaged`).
    public fileprivate(set) var owner: Identity
  }

  /// What came of a change.
  public enum Outcome: Equatable, Sendable {
    /// It was made, or there was nothing to change.
    case done
    /// There is no such file.
    case notFound
    /// Somebody else owns the file.
    case refused(owner: Identity)
  }

  /// The files in the order of their paths' bytes.
  public private(set) var files: [File] = []
  /// The choices where no published rule exists.
  public var assumptions: Assumptions

  /// Creates a place without files.
  public init(assumptions: Assumptions = Assumptions()) {
    self.assumptions = assumptions
  }

  /// The owner of a file; `nil` when there is none at this path.
  public subscript(path: String) -> Identity? {
    files.first { $0.path == path }?.owner
  }

  /// The files of an account, in the order of their paths.
  public func files(of account: AccountNumber) -> [File] {
    files.filter { $0.owner == .account(account) }
  }

  /// Opens a file under an identity.
  ///
  /// A file that is not there is created when it is opened to write, and is then the identity's.
  @discardableResult
  public mutating func open(_ path: String, _ access: Access, as identity: Identity) -> Outcome {
    switch access {
    case .create, .truncate: set(path, identity)
    case .append: if self[path] == nil { set(path, identity) }
    case .read: return self[path] == nil ? .notFound : .done
    }
    return .done
  }

  /// Makes a file somebody's (`protect`).
  @discardableResult
  public mutating func protect(_ path: String, as identity: Identity) -> Outcome {
    guard self[path] != nil else { return .notFound }
    set(path, identity)
    return .done
  }

  /// Makes a file somebody's unless an account owns it that is another one (`verifyAndProtect`). That it refuses is an
  /// assumption.
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

  /// Removes the files of an account, as a selective wipe does, and says how many there were.
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
  }

  /// A file of which nothing is said is nobody's.
  private static func normalized(_ identity: Identity) -> Identity {
    identity == .unset ? .unmanaged : identity
  }
}
