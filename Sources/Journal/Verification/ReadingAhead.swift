import Synchronization

/// Reads segments before their turn, on several threads, so that the pass that goes through them in order finds most
/// of the work done.
///
/// It does not change the findings, only which thread reads: a segment that is not sound from the first block on, or
/// that could not be read, is simply read again in its turn.
final class ReadingAhead {
  private let directory: JournalDirectory
  private let catalog: JournalCatalog
  private let claims: HistoryClaims
  private let depth: VerificationDepth
  private let threads: Int
  /// What was read in the last round, by the segments' places.
  private var found: [Int: VerifiedPrefix] = [:]
  private var done = 0

  /// Memory grows with the round: each thread reads this many segments before any thread waits for another.
  private static let segmentsPerThread = 8

  init(_ directory: JournalDirectory, _ catalog: JournalCatalog, _ depth: VerificationDepth, threads: Int) {
    self.depth = depth
    self.directory = directory
    self.catalog = catalog
    claims = HistoryClaims(catalog)
    self.threads = threads
  }

  /// The findings of a segment; each is requested once, in order.
  func prefix(at index: Int, of entry: SegmentEntry) -> VerifiedPrefix? {
    if index >= done, index < catalog.segments.count { readRound(from: index) }
    guard let prefix = found.removeValue(forKey: index), prefix.name == entry.name, prefix.header == entry.header else {
      return nil
    }
    return prefix
  }

  private func readRound(from first: Int) {
    let round = Round(first..<min(first + threads * Self.segmentsPerThread, catalog.segments.count))
    let (directory, catalog, claims, depth) = (directory, catalog, claims, depth)
    directory.fileSystem.concurrently(min(threads, round.places.count)) {
      while let index = round.claimPlace() {
        if let prefix = VerifiedPrefix(of: index, in: catalog, directory, claims: claims, depth: depth) {
          round.found.withLock { $0[index] = prefix }
        }
      }
    }
    found = round.found.withLock { $0 }
    done = round.places.upperBound
  }

  /// Segments that several threads share among themselves.
  private final class Round: Sendable {
    let places: Range<Int>
    let found = Mutex<[Int: VerifiedPrefix]>([:])
    private let next: Atomic<Int>

    init(_ places: Range<Int>) {
      self.places = places
      next = Atomic(places.lowerBound)
    }

    /// A place that no other thread has taken.
    func claimPlace() -> Int? {
      let place = next.wrappingAdd(1, ordering: .relaxed).oldValue
      return place < places.upperBound ? place : nil
    }
  }
}
