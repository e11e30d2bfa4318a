import WireFormat

/// The types of an ``EventList`` or a ``PayloadList``, found out once from one event of each.
public struct EventTypes<Event: JournaledEvent>: Sendable {
  /// The name of the domain.
  public let domain: String
  /// The description of every type.
  public private(set) var catalog: EventCatalog
  /// Which fields are the keys of entities.
  public private(set) var entityKeys = EntityKeys()
  /// Writes out what the absent fields of a type mean, for the keys of entities alone.
  private let absentFields: @Sendable (Event) -> [UInt8]
  /// The events that reading begins with, in the order of the catalogue.
  @usableFromInline let blanks: [Event]
  /// The first version of each type that is read as one without the later fields, in the same order.
  @usableFromInline private(set) var firstVersions: [UInt32]
  /// The places of the types with small numbers in the catalogue, by number: reading looks there for every event.
  @usableFromInline let places: [Int?]
  /// Reads what an earlier list of types describes, and brings it forward.
  private var earlier: (@Sendable (UInt32, UInt32, inout WireReader) throws(WireError) -> Event?)?

  /// Types with numbers from here on are searched for.
  private static var greatestPlace: UInt32 { 1024 }

  private init(
    _ domain: String, _ types: [(blank: Event, descriptor: EventDescriptor)], _ mistakes: [DomainMistake] = [],
    absentFields: @escaping @Sendable (Event) -> [UInt8]
  ) {
    self.domain = domain
    catalog = EventCatalog(types.map(\.descriptor))
    catalog.ownMistakes += mistakes
    blanks = catalog.entries.compactMap { entry in types.first { $0.descriptor.number == entry.number }?.blank }
    self.absentFields = absentFields
    firstVersions = blanks.map { _ in 1 }
    var places: [Int?] = []
    for (place, entry) in catalog.entries.enumerated() where entry.number < Self.greatestPlace {
      places += Array(repeating: nil, count: Int(entry.number) - places.count) + [place]
    }
    self.places = places
  }

  /// Collects the types. Their numbers and names must be unique. What is wrong with the list, ``EventCatalog/mistakes`` says, and
  /// no journal can be opened with it.
  ///
  /// - Parameters:
  ///   - domain: The name of the domain, as ``JournaledEvent/domain``.
  ///   - blanks: One event of each type, with the values that absent fields mean. A field that begins with another value
  ///     than zero, nothing or an empty text must be written `always`: otherwise that value and the default could not be
  ///     distinguished. Lists begin empty, and fields that may be missing with `nil`.
  public init(_ domain: String, _ blanks: Event...) where Event: EventList {
    var types: [(blank: Event, descriptor: EventDescriptor)] = []
    var mistakes: [DomainMistake] = []
    for blank in blanks {
      var list = EventVisitor(FieldDescriber())
      _ = blank.visit(&list)
      guard let label = list.label else {
        mistakes.append(DomainMistake("the event \(blank) visits no type: its fields belong into the call of 'event'"))
        continue
      }
      var absence = AbsenceCheck()
      blank.show(to: &absence)
      var properties = PropertyCheck()
      blank.show(to: &properties)
      let words = label.name.description.split(separator: ".")
      let body = list.fields.message(
        words.map { $0.prefix(1).uppercased() + $0.dropFirst() }.joined(),
        absence.faults + properties.faults(ofCase: blank))
      types.append(
        (
          blank,
          EventDescriptor(
            label.number, label.name.description, version: label.version, unknownReaders: label.unknownReaders,
            body: body, meaning: label.meaning.description)
        ))
    }
    self.init(domain, types, mistakes) { blank in
      var absent = AbsentFields()
      blank.show(to: &absent)
      return absent.bytes
    }
  }

  /// Collects the types. Their numbers and names must be unique, as ``EventCatalog/mistakes`` says where they are not.
  ///
  /// - Parameters:
  ///   - domain: The name of the domain, as ``JournaledEvent/domain``.
  ///   - blanks: One event of each type. Its payload does not matter: reading begins with that of ``FieldList/blank``.
  public init(_ domain: String, _ blanks: Event...) where Event: PayloadList {
    var nothing: Void = ()
    self.init(
      domain, blanks.map { (blank: $0, descriptor: $0.visit(PayloadDescription(), &nothing)) }
    ) { blank in
      var absent = AbsentFields()
      blank.visit(AbsentPayload(), &absent)
      return absent.bytes
    }
  }

  /// These types, some of whose events are about entities of a kind: which fields hold the keys.
  ///
  /// ```swift
  /// static let types = EventTypes<Entry>("rooms", .opened(), .booked(), .moved())
  ///   .keyed("room", by: ["room.opened": "room", "room.booked": "room", "booking.moved": "from", "booking.moved": "to"])
  ///   .keyed("guest", by: ["room.booked": "guest"])
  /// ```
  ///
  /// Nothing more is written with the events, so that keys can be named, and named otherwise, at any time. A key of an event
  /// from before its field existed is what the absent field means. Only lists of types can name keys.
  ///
  /// - Parameters:
  ///   - kind: What such entities are called.
  ///   - fields: The names of event types, each with that of a field that holds an unsigned number or sixteen bytes. A field
  ///     that may be missing, and is, names no entity; a list names one for each element. Not ``Personal``, because a key is
  ///     never sealed; otherwise of any privacy class, but checkpoints and the file `STREAMS` hold the keys plainly.
  public func keyed(_ kind: String, by fields: KeyValuePairs<String, String>) -> EventTypes {
    var types = self
    types.catalog.ownMistakes += types.entityKeys.add(kind, by: fields, in: catalog) { type in
      catalog.entries.firstIndex { $0.number == type }.map { absentFields(blanks[$0]) } ?? []
    }
    return types
  }

  /// These types, with earlier versions of some of them that absent fields cannot express: a field had another unit, or its
  /// meaning was renamed or split.
  ///
  /// The earlier list has the types that changed, as they were; an event of one of its versions is read by it and then
  /// brought forward. It may itself bring still earlier versions forward, so that each change is written down once:
  ///
  /// ```swift
  /// static let types = EventTypes<Entry>("account-book", .deposited(), .withdrawn()).upcasting { (old: EntryInEuros) in
  ///   switch old {
  ///   case .deposited(let euros): .deposited(cents: euros &* 100)
  ///   }
  /// }
  /// ```
  ///
  /// A field keeps its number, name and type for ever: a new meaning takes a new number.
  ///
  /// - Parameter bring: Returns the event that an earlier one stands for. Pure.
  public func upcasting<Earlier: EventList>(_ bring: @escaping @Sendable (Earlier) -> Event) -> EventTypes {
    var types = self
    for entry in Earlier.types.catalog.entries {
      guard let index = catalog.index(of: entry.number) else { continue }
      if entry.version >= catalog.entries[index].version {
        types.catalog.ownMistakes.append(
          DomainMistake("\(entry.name) has no later version than in the earlier list of types"))
      }
      types.firstVersions[index] = entry.version + 1
    }
    types.catalog.ownMistakes += Earlier.types.catalog.mistakes
    types.entityKeys.addEarlier(Earlier.types.catalog)
    types.earlier = { (type, version, body) throws(WireError) in
      try Earlier.decode(type: type, version: version, body: &body).map(bring)
    }
    return types
  }

  /// Where the type with this number stands in the catalogue; `nil` if it is not there.
  @inlinable
  func place(of number: UInt32) -> Int? {
    number < places.count ? places[Int(number)] : catalog.index(of: number)
  }

  /// The event that reading one of this type begins with; `nil` for a type or a version that the list does not know itself.
  @usableFromInline
  func blank(of type: UInt32, version: UInt32) -> Event? {
    guard let index = place(of: type), version >= firstVersions[index],
      version <= max(1, catalog.entries[index].version)
    else { return nil }
    return blanks[index]
  }

  /// Reads an event of an earlier list; `nil` if none knows the type and version.
  @usableFromInline
  func decodeEarlier(
    type: UInt32, version: UInt32, body: inout WireReader
  ) throws(WireError) -> Event? {
    try earlier?(type, version, &body)
  }

  /// Whether an event of this version is brought forward.
  @usableFromInline
  func isUpcast(type: UInt32, version: UInt32) -> Bool {
    guard earlier != nil else { return false }
    return catalog.index(of: type).map { version < firstVersions[$0] } ?? true
  }
}
