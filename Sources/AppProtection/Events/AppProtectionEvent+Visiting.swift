import EventSourcing
import WireFormat

/// Handles an event's payload of any type.
protocol PayloadVisitor {
  associatedtype Failure: Error
  associatedtype Result

  mutating func visit<Payload: EventPayload>(_ payload: Payload) throws(Failure) -> Result
}

/// Handles the case that holds a payload type, and what looks at such an event besides the state.
protocol PayloadTypeVisitor {
  associatedtype Failure: Error
  associatedtype Result

  mutating func visit<Payload: EventPayload>(
    _ event: (Payload) -> AppProtectionEvent, _ readers: EventReaders
  ) throws(Failure) -> Result
}

extension AppProtectionEvent {
  /// The name that journals of this domain carry.
  public static let domain = "app-protection"

  /// Every event type of this domain.
  public static let catalog = EventCatalog(
    Kind.allCases.map { kind in
      var descriptors = Descriptors()
      return kind.accept(&descriptors)
    })

  /// The number of the event's type.
  public var type: UInt32 {
    var numbers = Numbers()
    return accept(&numbers)
  }

  /// The name of the event's type, such as `policy.received`.
  public var name: String {
    var names = Names()
    return accept(&names)
  }

  /// The account that the event is about; `nil` if it is about none, or about several.
  public var account: AccountNumber? {
    var accounts = Accounts()
    return accept(&accounts)
  }

  /// Says what the event means, for the line that a log has for it.
  func tell(in headline: Headline) {
    var headlines = Headlines(headline: headline)
    accept(&headlines)
  }

  /// Writes the body. Equal events encode to equal bytes.
  public func encodeBody(into writer: inout WireWriter) {
    var bodies = BodyWriter(writer: WireWriter())
    swap(&bodies.writer, &writer)
    accept(&bodies)
    swap(&bodies.writer, &writer)
  }

  /// Reads the body of an event of `type`; `nil` for a type or a version that this program does not know.
  public static func decode(
    type: UInt32, version: UInt32, body: inout WireReader
  ) throws(WireError) -> AppProtectionEvent? {
    guard let kind = Kind(rawValue: type) else { return nil }
    var bodies = BodyReader(reader: body, version: version)
    let event = try kind.accept(&bodies)
    body = bodies.reader
    return event
  }

  /// What a projection answers about an event that its `switch` has no case for. Debug builds stop if the event's line says
  /// that the projection looks at it.
  package func unread<Answer>(by reader: EventReaders, _ nothing: Answer) -> Answer {
    assert(Kind(rawValue: type)?.readers.contains(reader) != true, "no case handles \(name)")
    return nothing
  }

  private struct Descriptors: PayloadTypeVisitor {
    func visit<Payload: EventPayload>(
      _ event: (Payload) -> AppProtectionEvent, _ readers: EventReaders
    ) -> EventDescriptor { Payload.eventDescriptor }
  }

  private struct Numbers: PayloadVisitor {
    func visit<Payload: EventPayload>(_ payload: Payload) -> UInt32 { Payload.entry.number }
  }

  private struct Names: PayloadVisitor {
    func visit<Payload: EventPayload>(_ payload: Payload) -> String { Payload.entry.name }
  }

  private struct Accounts: PayloadVisitor {
    func visit<Payload: EventPayload>(_ payload: Payload) -> AccountNumber? {
      guard case .value(.name(let name))? = payload.tree()[path: "/account"] else { return nil }
      return AccountNumber(name)
    }
  }

  private struct Headlines: PayloadVisitor {
    let headline: Headline

    func visit<Payload: EventPayload>(_ payload: Payload) { payload.tell(in: headline) }
  }

  private struct BodyWriter: PayloadVisitor {
    var writer: WireWriter

    mutating func visit<Payload: EventPayload>(_ payload: Payload) { payload.encode(into: &writer) }
  }

  private struct BodyReader: PayloadTypeVisitor {
    var reader: WireReader
    let version: UInt32

    mutating func visit<Payload: EventPayload>(
      _ event: (Payload) -> AppProtectionEvent, _ readers: EventReaders
    ) throws(WireError) -> AppProtectionEvent? {
      try Payload.read(version: version, from: &reader).map(event)
    }
  }
}

extension AppProtectionEvent.Kind {
  /// What looks at an event of this type besides the state.
  var readers: EventReaders {
    var readers = Readers()
    return accept(&readers).union(diagnosing)
  }

  private struct Readers: PayloadTypeVisitor {
    func visit<Payload: EventPayload>(
      _ event: (Payload) -> AppProtectionEvent, _ readers: EventReaders
    ) -> EventReaders { readers }
  }
}
