import WireFormat

@usableFromInline
struct PayloadNumber<Event: PayloadList>: PayloadVisitor {
  @inlinable init() {}
  @inlinable
  func event<Payload: EventPayload>(_ payload: Payload, _ event: (Payload) -> Event, _ nothing: inout Void) -> UInt32 {
    Payload.entry.number
  }
}

@usableFromInline
struct PayloadName<Event: PayloadList>: PayloadVisitor {
  @inlinable init() {}
  @inlinable
  func event<Payload: EventPayload>(_ payload: Payload, _ event: (Payload) -> Event, _ nothing: inout Void) -> String {
    Payload.entry.name
  }
}

@usableFromInline
struct PayloadFolding<Event: PayloadList>: PayloadVisitor {
  @usableFromInline let context: EventContext

  @inlinable
  init(context: EventContext) {
    self.context = context
  }

  @inlinable
  func event<Payload: EventPayload>(
    _ payload: Payload, _ event: (Payload) -> Event, _ state: inout Event.State
  ) where Payload.State == Event.State {
    Payload.fold(payload, into: &state, context)
  }
}

@usableFromInline
struct PayloadWords<Event: PayloadList>: PayloadVisitor {
  @inlinable init() {}
  @inlinable
  func event<Payload: EventPayload>(_ payload: Payload, _ event: (Payload) -> Event, _ headline: inout Headline) {
    payload.describe(in: headline)
  }
}

@usableFromInline
struct PayloadWriter<Event: PayloadList>: PayloadVisitor {
  @inlinable init() {}
  @inlinable
  func event<Payload: EventPayload>(_ payload: Payload, _ event: (Payload) -> Event, _ writer: inout WireWriter) {
    payload.encode(into: &writer)
  }
}

@usableFromInline
struct PayloadReader<Event: PayloadList>: PayloadVisitor {
  @usableFromInline let version: UInt32

  @inlinable
  init(version: UInt32) {
    self.version = version
  }

  @inlinable
  func event<Payload: EventPayload>(
    _ payload: Payload, _ event: (Payload) -> Event, _ reader: inout WireReader
  ) throws(WireError) -> Event? {
    try Payload.read(version: version, from: &reader).map(event)
  }
}

@usableFromInline
struct PayloadAccount<Event: PayloadList>: PayloadVisitor {
  @inlinable init() {}
  @inlinable
  func event<Payload: EventPayload>(_ payload: Payload, _ event: (Payload) -> Event, _ nothing: inout Void) -> UInt64 {
    payload.sealingAccount
  }
}

@usableFromInline
struct PayloadPassing<Event: PayloadList>: PayloadVisitor {
  @inlinable init() {}
  @inlinable
  func event<Payload: EventPayload>(
    _ payload: Payload, _ event: (Payload) -> Event, _ pass: inout PersonalPass
  ) throws(SealingError) -> Event? {
    guard Payload.isPersonal else { return nil }
    var payload = payload
    try payload.passPersonal(to: &pass)
    return event(payload)
  }
}

struct PayloadDescription<Event: PayloadList>: PayloadVisitor {
  func event<Payload: EventPayload>(
    _ payload: Payload, _ event: (Payload) -> Event, _ nothing: inout Void
  ) -> EventDescriptor {
    EventDescriptor(Payload.entry, body: Payload.descriptor)
  }
}

/// Finds what the fields of a payload hold that was written before they existed.
struct AbsentPayload<Event: PayloadList>: PayloadVisitor {
  func event<Payload: EventPayload>(
    _ payload: Payload, _ event: (Payload) -> Event, _ fields: inout AbsentFields
  ) {
    var blank = Payload.blank
    if let read = try? WireReader.decode(
      [UInt8](),
      { (reader) throws(WireError) in
        try Payload.read(version: Payload.entry.version, from: &reader)
      })
    {
      blank = read
    }
    Payload.visit(&blank, &fields)
  }
}
