import AppProtection
import AppProtectionKit
import Foundation
import Synchronization

/// An operation that runs under the identity of the thread that adds it to its queue, not of the one that creates or starts
/// it. Override ``run()`` in place of `main`.
///
/// Add it by `OperationQueue.addWithIdentity(_:)`; added by `addOperation(_:)`, it runs without an identity.
open class IdentityOperation: Operation, @unchecked Sendable {
  // Unchecked as its superclass: all that this class adds is the lock.
  private let identity = Mutex(Identity.unset)
  private let block: (@Sendable () -> Void)?

  /// An operation whose subclass overrides ``run()``.
  public override init() {
    block = nil
  }

  /// An operation that runs a block.
  public init(_ block: @escaping @Sendable () -> Void) {
    self.block = block
  }

  /// The work. Runs the block unless overridden.
  open func run() {
    block?()
  }

  /// Runs ``run()`` under the identity of the thread that added the operation.
  public final override func main() {
    IdentityContext.with(identity.withLock { $0 }) { run() }
  }

  fileprivate func carry(_ carried: Identity) {
    identity.withLock { $0 = carried }
  }
}

extension OperationQueue {
  /// Adds an operation, to run under the identity of the caller.
  public func addWithIdentity(_ operation: IdentityOperation) {
    operation.carry(IdentityContext.current)
    addOperation(operation)
  }

  /// Adds a block, to run under the identity of the caller.
  public func addWithIdentity(_ block: @escaping @Sendable () -> Void) {
    addWithIdentity(IdentityOperation(block))
  }
}
