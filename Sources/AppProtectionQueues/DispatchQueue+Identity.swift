import AppProtectionKit
import Dispatch

extension DispatchQueue {
  /// Runs a block later, under the identity of the caller. The block may run others under another identity, which ends with
  /// it; the queue's thread gets its own identity back afterwards.
  public func asyncWithIdentity(
    group: DispatchGroup? = nil, qos: DispatchQoS = .unspecified, flags: DispatchWorkItemFlags = [],
    execute work: @escaping @Sendable @convention(block) () -> Void
  ) {
    async(group: group, qos: qos, flags: flags, execute: IdentityContext.carrying(work))
  }

  /// Runs a block after a time, under the identity of the caller now.
  public func asyncWithIdentity(
    after deadline: DispatchTime, execute work: @escaping @Sendable @convention(block) () -> Void
  ) {
    asyncAfter(deadline: deadline, execute: IdentityContext.carrying(work))
  }

  /// Runs a block now, whatever thread that takes, under the identity of the caller, and returns its result.
  public func syncWithIdentity<Result>(execute work: () throws -> Result) rethrows -> Result {
    let identity = IdentityContext.current
    return try sync { try IdentityContext.with(identity, work) }
  }
}

extension DispatchWorkItem {
  /// A work item that runs under the identity of the thread that creates it, on whatever queue and by whomever it is
  /// submitted.
  public static func withIdentity(
    qos: DispatchQoS = .unspecified, flags: DispatchWorkItemFlags = [],
    block: @escaping @Sendable @convention(block) () -> Void
  ) -> DispatchWorkItem {
    DispatchWorkItem(qos: qos, flags: flags, block: IdentityContext.carrying(block))
  }
}

extension IdentityContext {
  /// A block that runs under the identity of the caller of this function, for queues that this module does not know.
  public static func carrying(_ work: @escaping @Sendable () -> Void) -> @Sendable () -> Void {
    let identity = current
    return { with(identity, work) }
  }
}
