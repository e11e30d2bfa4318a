/// A journal whose events were found in a pile of files.
public struct SalvageableJournal: Hashable, Sendable {
  /// Which journal it is; ``JournalID/none`` for events whose journal no file names.
  public var id: JournalID
  /// How many events were found; an event with several copies counts once for each.
  public var eventCount: UInt64
}

/// What was found in one file of a pile.
public struct SalvagedFile: Hashable, Sendable {
  /// The kind of a file, by its first bytes or by what was found in it.
  public enum Kind: Hashable, Sendable {
    /// Holds events.
    case events
    /// A segment's header, and no event that can be read.
    case emptySegment
    /// `JOURNAL`: which journal it is, and what it was forked from.
    case identity
    /// `HEAD`: how far a journal was durable.
    case head
    /// `KEPT`: which events were retired on purpose.
    case retirement
    /// A checkpoint: a state that was computed from events, and not an event.
    case checkpoint
    /// A segment in a format that only a newer program knows.
    case laterFormat
    /// Nothing of a journal.
    case foreign
  }

  /// Where the file was found.
  public var path: String
  /// Its length in bytes.
  public var length: UInt64
  /// What it is.
  public var kind: Kind
  /// How many events were found in it, of any journal.
  public var eventCount: UInt64
  /// Bytes other than zeros in which nothing of a journal was found, in order; at most 4,096 stretches.
  public var unexplained: [Range<UInt64>]
  /// How events were identified whose segment header does not verify; `nil` when every header does.
  public var note: String?
}

/// Events or bytes that could not be salvaged.
public struct SalvageLoss: Hashable, Sendable {
  /// How sure it is that events are lost.
  public enum Certainty: String, Hashable, Sendable {
    /// Both sides verify as parts of one segment, so that exactly these events are missing.
    case certain
    /// Only the numbers on both sides show the loss: nothing proves that both sides belong to one history.
    case byNumbers
    /// A receipt, a checkpoint or the header of a later segment says that these events were durable.
    case claimed
    /// Whether events are lost is unknown.
    case unknown
  }

  /// The events; `nil` when it is not known which, or whether any.
  public var events: ClosedRange<UInt64>?
  /// The file that most likely held them; `nil` when no file of the pile did.
  public var file: String?
  /// The bytes of that file that do not verify.
  public var byteRange: Range<UInt64>?
  /// Why they are lost, in one sentence without a full stop.
  public var cause: String
  /// How sure that is.
  public var certainty: Certainty
  /// Whether the bytes are not known to be damaged, and only a program that knows a later version of the format, or a
  /// feature of it, can tell what they hold.
  public var needsNewerProgram = false
}

/// Events that were found and are not part of the history that was kept.
public struct ExcludedEvents: Hashable, Sendable {
  /// Why.
  public enum Reason: String, Hashable, Sendable {
    /// The journal's own writer continued before them, in a later segment.
    case givenUp
    /// The segment after them is damaged or missing, so it is unknown whether the journal's own writer continued after
    /// them or gave them up.
    case undecided
    /// Another history has events of the same numbers, and more of them were found.
    case otherHistory
    /// The last batch was never completed, so it was never in the history.
    case unfinishedBatch
    /// Too many events are missing between these and the history that was kept.
    case tooFar
    /// Their segment names another domain than the journal.
    case otherDomain
    /// Another journal's, in the directory of the one that was salvaged.
    case otherJournal
  }

  /// Their numbers.
  public var events: ClosedRange<UInt64>
  /// The file that holds them.
  public var file: String
  /// Where, in bytes.
  public var byteRange: Range<UInt64>
  /// Why they were set aside.
  public var reason: Reason
  /// Whose they are, when that is another journal.
  public var journal: JournalID?
}

/// The result of a salvage: what the new journal holds, and what is lost.
public struct SalvageReport: Sendable {
  /// The journal whose events were salvaged; ``JournalID/none`` when no file says which it was.
  public internal(set) var source: JournalID
  /// The journal that was written.
  public internal(set) var identity: JournalIdentity
  /// The numbers of the first and the last event in the new journal, which are those of the old one.
  public internal(set) var events: ClosedRange<UInt64>
  /// How many events were salvaged.
  public internal(set) var salvagedCount: UInt64 = 0
  /// The chain value after the last event.
  public internal(set) var lastChain: UInt32 = 0
  /// The losses, in the order of their numbers.
  public internal(set) var losses: [SalvageLoss] = []
  /// Whether a `HEAD` was found that says how far the journal reached, or how far a copy reached that was salvaged
  /// from it while that was known, or that was continued since. Without it, missing later events cannot be detected,
  /// and the new journal records that: ``JournalIdentity/lastKnownOfParent``.
  public var knowsEnd: Bool { unknownEnd == nil }
  /// Why no `HEAD` says how far the journal reached; `nil` if one does.
  public internal(set) var unknownEnd: UnknownEnd?

  /// Why no `HEAD` says how far a journal reached. Of several reasons the last one counts.
  public enum UnknownEnd: Int, Hashable, Sendable {
    /// No verified `HEAD` was found.
    case noHead
    /// Events were found after the last one that `HEAD` names.
    case oldHead
    /// An earlier salvage wrote the journal without knowing the end.
    case earlierSalvage
    /// The salvage that wrote the journal was not finished.
    case unfinishedCopy
  }
  /// Whether no catalogue was found for some of the events, although they are of a domain: the new journal does not
  /// describe them. ``JournalIdentity/domain`` of ``identity`` is `nil` where not even the domain's name was found.
  public internal(set) var lacksCatalog = false
  /// What was found and not kept.
  public internal(set) var aside: [ExcludedEvents] = []
  /// The checkpoints that were copied, by their events: without them the state before the first would be unknown.
  public internal(set) var checkpoints: [UInt64] = []
  /// The files that were searched.
  public internal(set) var files: [SalvagedFile] = []
  /// Other journals whose events were found.
  public internal(set) var otherJournals: [SalvageableJournal] = []

  /// Whether a newer program could read more from some file.
  public var needsNewerProgram: Bool { losses.contains(where: \.needsNewerProgram) }

  /// How many events are known to be lost.
  public var lostCount: UInt64 { losses.reduce(0) { $0 + UInt64($1.events?.count ?? 0) } }

  /// How many events were found and left out, copies counted once for each.
  public var leftOutCount: UInt64 { aside.reduce(0) { $0 + UInt64($1.events.count) } }

  /// Whether every acknowledged event is in the new journal, as far as the files show, and no other history had to be
  /// left out. Events that were given up may be left out where others were written under their numbers. That there were
  /// no later events is known only when ``knowsEnd`` is true as well.
  public var isComplete: Bool {
    losses.isEmpty
      && !aside.contains { aside in
        switch aside.reason {
        case .otherHistory, .otherDomain, .tooFar, .undecided, .otherJournal: true
        case .givenUp: aside.events.upperBound > events.upperBound
        case .unfinishedBatch: false
        }
      }
  }
}
