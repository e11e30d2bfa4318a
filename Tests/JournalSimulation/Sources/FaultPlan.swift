/// Which call fails, and how.
package struct FaultPlan: Hashable, Sendable {
  /// What happens to a call.
  package enum Fault: Hashable, Sendable {
    /// It fails with this number, without an effect.
    case error(Int32)
    /// A read or write handles only this many bytes, and succeeds.
    case short(Int)
    /// A write handles only this many bytes; the next call is one that fails with the number.
    case shortThenError(Int, Int32)
    /// The process ends before it: neither it nor any later call has an effect.
    case death
  }

  /// The number of the first call that is hit, from 1.
  package var firstCall: Int
  /// How many calls from then on are hit.
  package var count: Int
  package var fault: Fault
  /// Only calls of these kinds are hit; all when it is empty.
  package var kinds: Set<String>
  /// Calls of these kinds are hit from the first one on, however many there are.
  package var lastingKinds: Set<String> = []

  package init(at firstCall: Int, count: Int = 1, _ fault: Fault, kinds: Set<String> = []) {
    self.firstCall = firstCall
    self.count = count
    self.fault = fault
    self.kinds = kinds
  }

  func fault(at call: Int, _ kind: String) -> Fault? {
    if call >= firstCall, lastingKinds.contains(kind) { return fault }
    guard call >= firstCall, call - firstCall < count, kinds.isEmpty || kinds.contains(kind) else {
      if case .shortThenError(_, let code) = fault, call == firstCall + 1 { return .error(code) }
      return nil
    }
    return fault
  }
}
