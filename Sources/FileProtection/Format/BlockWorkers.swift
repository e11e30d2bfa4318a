import Journal
import Synchronization

/// Seals and opens many blocks, on all processors where that pays.
struct BlockWorkers {
  /// What one thread needs for itself.
  final class Worker {
    let cipher: BlockCipher
    /// Room for the largest block.
    let block = UnsafeMutableRawBufferPointer.allocate(byteCount: Layout.maximumBlock, alignment: 64)

    init(_ cipher: BlockCipher) {
      self.cipher = cipher
    }

    deinit { block.deallocate() }
  }

  /// With fewer blocks, starting a thread takes longer than it saves.
  private static let blocksPerThread = 8

  /// That of the calling thread.
  let own: Worker
  private let fileSystem: any FileSystem

  init(_ cipher: BlockCipher, _ fileSystem: any FileSystem) {
    own = Worker(cipher)
    self.fileSystem = fileSystem
  }

  /// Calls `body` once for each number below `count`, in any order, and throws the failure with the lowest number.
  func forEach(
    _ count: Int, _ body: @escaping @Sendable (Int, Worker) throws(ProtectionError) -> Void
  ) throws(ProtectionError) {
    let threads = min(fileSystem.processorCount, count / Self.blocksPerThread)
    guard threads > 1 else {
      for number in 0..<count { try body(number, own) }
      return
    }
    let shared = Shared()
    var ciphers: [BlockCipher] = []
    for _ in 0..<threads {
      guard let cipher = own.cipher.copy() else { throw .encryptionFailed }
      ciphers.append(cipher)
    }
    // Each thread takes another one.
    nonisolated(unsafe) let taken = ciphers
    fileSystem.concurrently(threads) {
      let worker = Worker(taken[shared.thread.wrappingAdd(1, ordering: .relaxed).oldValue])
      while true {
        let number = shared.next.wrappingAdd(1, ordering: .relaxed).oldValue
        guard number < count else { return }
        do throws(ProtectionError) {
          try body(number, worker)
        } catch {
          shared.failure.withLock { if $0.map({ number < $0.number }) ?? true { $0 = (number, error) } }
        }
      }
    }
    if let failure = shared.failure.withLock({ $0 }) { throw failure.error }
  }

  private final class Shared: Sendable {
    let thread = Atomic(0)
    let next = Atomic(0)
    let failure = Mutex<(number: Int, error: ProtectionError)?>(nil)
  }
}
