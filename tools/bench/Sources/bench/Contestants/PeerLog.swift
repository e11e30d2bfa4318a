import Peers

/// Another engine's log.
final class PeerLog: @unchecked Sendable {
  // Unchecked because of the pointer: the C side takes its own locks.

  private let peer: OpaquePointer
  private let name: String

  /// Opens or creates a log below a directory.
  init(_ contestant: Contestant, at directory: String, isDurable: Bool) throws {
    guard let kind = Contestant.peers.first(where: { $0.contestant == contestant })?.kind else {
      throw Failure("\(contestant.title) is no other engine")
    }
    name = contestant.title
    var message = [CChar](repeating: 0, count: 512)
    guard let peer = peer_open(kind, directory, isDurable ? 1 : 0, &message, message.count) else {
      throw Failure(Self.text(message))
    }
    self.peer = peer
  }

  deinit {
    peer_close(peer)
  }

  private static func text(_ message: [CChar]) -> String {
    String(decoding: message.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }

  /// Appends events of equal size that lie one behind the other.
  func append(_ events: UnsafeRawBufferPointer, size: Int) throws {
    var message = [CChar](repeating: 0, count: 512)
    let bytes = events.bindMemory(to: UInt8.self).baseAddress
    guard peer_append(peer, bytes, size, events.count / size, &message, message.count) == 0 else {
      throw Failure(Self.text(message))
    }
  }

  /// Appends events of different sizes that lie one behind the other.
  func append(_ events: UnsafeRawBufferPointer, sizes: UnsafeBufferPointer<UInt32>) throws {
    var message = [CChar](repeating: 0, count: 512)
    let bytes = events.bindMemory(to: UInt8.self).baseAddress
    guard peer_append_sizes(peer, bytes, sizes.baseAddress, sizes.count, &message, message.count) == 0 else {
      throw Failure(Self.text(message))
    }
  }

  /// Shows every event in order, with its number.
  func forEach(_ body: (UInt64, UnsafeRawBufferPointer) throws -> Void) throws {
    struct Visit {
      let body: (UInt64, UnsafeRawBufferPointer) throws -> Void
      var error: (any Error)?
    }
    try withoutActuallyEscaping(body) { body in
      var message = [CChar](repeating: 0, count: 512)
      var visit = Visit(body: body)
      let code = withUnsafeMutablePointer(to: &visit) { visit in
        peer_visit(
          peer,
          { context, number, bytes, size in
            guard let visit = context?.assumingMemoryBound(to: Visit.self), visit.pointee.error == nil else { return }
            do {
              try visit.pointee.body(number, UnsafeRawBufferPointer(start: bytes, count: size))
            } catch {
              visit.pointee.error = error
            }
          }, visit, &message, message.count)
      }
      if let error = visit.error { throw error }
      guard code == 0 else { throw Failure(Self.text(message)) }
    }
  }

  /// Reads all events and folds them; checks that there are as many as expected.
  func fold(expecting expected: Int) throws {
    var message = [CChar](repeating: 0, count: 512)
    var count: UInt64 = 0
    var sum: UInt64 = 0
    guard peer_fold(peer, &count, &sum, &message, message.count) == 0 else { throw Failure(Self.text(message)) }
    guard count == UInt64(expected) else { throw Failure("\(name) has \(count) events instead of \(expected)") }
  }
}
