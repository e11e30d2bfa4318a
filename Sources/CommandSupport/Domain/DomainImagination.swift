import EventSourcing
import Forensics

/// What the commands of a tool ask of a domain whose decisions can be made again.
///
/// What reads whole histories is a closure that is made where the domain is named: see ``AnyHistory``.
@usableFromInline
package struct DomainImagination: Sendable {
  /// Begins the edits of a history.
  package let begin: @Sendable () -> any EditedHistory
  @usableFromInline let imagining: Imagining

  @usableFromInline
  typealias Imagining =
    @Sendable (any EditedHistory, ImaginationRequest) throws(WhatIfError) -> ImaginedOutcome

  @inlinable
  init<Domain: RedecidingDomain>(_ domain: Domain.Type) {
    self.init(begin: { DomainEdits<Domain>() }) { (edits, request) throws(WhatIfError) in
      let edits = edits as? DomainEdits<Domain> ?? DomainEdits()
      let history = request.history.of(Domain.self)
      return try ImaginedOutcome(request, edits) { (observe, emit) throws(WhatIfError) in
        try WhatIf(
          edits.edits, in: history, from: request.stretch.state.of(Domain.self), after: request.stretch.first,
          upTo: request.stretch.last, limit: request.limit, observe: observe, emit: emit)
      }
    }
  }

  @usableFromInline
  init(begin: @escaping @Sendable () -> any EditedHistory, imagining: @escaping Imagining) {
    (self.begin, self.imagining) = (begin, imagining)
  }

  /// Imagines a history: reads the real one once, and a second time to write the other one.
  package func imagine(
    _ request: ImaginationRequest, with edits: any EditedHistory
  ) throws(WhatIfError) -> ImaginedOutcome { try imagining(edits, request) }
}
