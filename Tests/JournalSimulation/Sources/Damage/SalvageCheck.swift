import Journal

/// What must hold of a journal that was damaged and salvaged.
struct SalvageCheck {
  struct Outcome {
    enum Result: String, CaseIterable {
      case unchanged
      case whole
      case part
      case nothing
    }
    var result = Result.unchanged
    /// Events that are not in the copy.
    var lost = 0
    /// Those of them whose bytes stand where they stood.
    var lostIntact = 0
    var breaches: [String] = []
  }

  let fixture: SalvageFixture
  /// Makes a copy wrong, so that the check has something to find.
  var tamper: (@Sendable (inout SalvagedCopy) -> Void)?

  /// Damages the journal, reads it, salvages it, and says what is wrong with the copy.
  ///
  /// - Parameter again: Whether the copy is salvaged, too.
  func check(_ damages: [Damage], again: Bool = false) -> Outcome {
    var image = fixture.journal.image
    for damage in damages { damage.apply(to: &image) }
    var outcome = Outcome()
    guard image != fixture.journal.image else { return outcome }
    let fileSystem = RecordingFileSystem(image)
    let shown = read(fileSystem, image, &outcome)
    var copy: SalvagedCopy?
    do throws(JournalError) {
      copy = try SalvagedCopy(of: fixture, from: fileSystem)
    } catch {
      if error.code != .notAJournal { outcome.breaches.append("salvage fails, \(error.code): \(error)") }
    }
    guard var copy else {
      outcome.result = .nothing
      outcome.lost = fixture.numbers.count
      outcome.lostIntact = fixture.numbers.count { fixture.isIntact($0, in: image) }
      if !shown.isEmpty { outcome.breaches.append("\(shown.count) events can be read, and nothing is salvaged") }
      return outcome
    }
    let there = Set(copy.events.lazy.filter { !$0.payload.isEmpty }.map(\.number))
    let lost = fixture.numbers.filter { !there.contains($0) }
    outcome.result = lost.isEmpty ? .whole : .part
    outcome.lost = lost.count
    outcome.lostIntact = lost.count { fixture.isIntact($0, in: image) }
    tamper?(&copy)
    outcome.breaches += copy.breaches(
      of: fixture, in: image, shown: shown, isInPlace: Damage.areInPlace(damages))
    if again { outcome.breaches += copy.breachesOfCopy(on: fileSystem) }
    if damages.count == 1, fixture.isShifted(by: damages[0], in: image) {
      // The event that stands alone between the run and the end proves nothing, and a batch without its end does not count.
      let whole = lost.filter { number in fixture.isWhole(number, in: image) && !copy.leavesOut(number) }
      if whole.count > 1 { outcome.breaches.append("a run costs \(whole.count) events that it does not cut") }
    }
    if !fileSystem.misuse.isEmpty { outcome.breaches.append("\(fileSystem.misuse)") }
    if fileSystem.openFileCount > 0 { outcome.breaches.append("files are left open") }
    return outcome
  }

  /// The events of the history that reading the source shows, before and after damage.
  private func read(
    _ fileSystem: RecordingFileSystem, _ image: DiskImage, _ outcome: inout Outcome
  ) -> Set<UInt64> {
    var shown: Set<UInt64> = []
    do throws(JournalError) {
      let reader = try JournalReader(path: Workload.path, fileSystem: fileSystem)
      for (number, payload) in try SalvagedCopy.events(of: reader) where !payload.isEmpty {
        if fixture.lostEarlier[Int(number)] == payload { continue }
        if fixture.event(number) == payload {
          shown.insert(number)
        } else if fixture.isForeign(payload), fixture.isOutvoted(in: image) {
          if try reader.verify().isSound {
            outcome.breaches.append("reading shows event \(number) of another journal, and the journal is called sound")
          }
        } else if fixture.isEmbedded(payload), !fixture.tellsEmbedded(in: image) {
          if fixture.hasReceipt(in: image), try reader.verify().isSound {
            outcome.breaches.append("reading shows event \(number) of a payload, and the journal is called sound")
          }
        } else if fixture.givenUp[Int(number)] != payload || fixture.knowsSuccessor(in: image) {
          let what = fixture.givenUp[Int(number)] == payload ? "was given up" : "is none of the history"
          outcome.breaches.append("reading shows event \(number), which \(what)")
        }
      }
      let missing = fixture.numbers.first { number in
        number <= UInt64(fixture.journal.promised) && !shown.contains(number)
          && fixture.hasWitness(of: number, in: image)
      }
      if let missing, try reader.verify().isSound {
        outcome.breaches.append("reading lacks event \(missing), and the journal is called sound")
      }
    } catch {
      if error.code != .notAJournal, error.code != .damaged {
        outcome.breaches.append("reading fails, \(error.code): \(error)")
      }
    }
    return shown
  }
}
