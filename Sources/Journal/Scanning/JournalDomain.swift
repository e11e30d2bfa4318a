import PlainText

/// What a journal's events mean: the name of their domain, and a catalogue that describes them.
///
/// A journal that was created with a domain can be appended to only under that name, and each of its segments begins
/// with the catalogue, so that its events can be described without the program that wrote them. The journal itself
/// does not interpret a catalogue: it is the caller's bytes.
public struct JournalDomain: Hashable, Sendable {
  /// The domain's name: 1 to 63 characters `a`–`z`, `0`–`9`, `.` and `-`.
  public let name: String
  /// The catalogue, at most 1 MiB.
  public let catalog: [UInt8]
  /// The catalogue as segments hold it.
  let described: SegmentCatalog

  /// The longest catalogue.
  package static let maximumCatalogLength = Format.maximumCatalogLength

  /// The SHA-256 of the catalogue, as segment headers state it.
  package var digest: [UInt8] { described.digest }

  /// Names a domain.
  ///
  /// - Throws: `outOfRange` for another name, `tooLarge` for a larger catalogue.
  public init(name: String, catalog: [UInt8]) throws(JournalError) {
    guard DomainName.isValid(name.utf8) else {
      throw JournalError(
        .outOfRange, "\"\(name)\" cannot be a domain's name",
        remedy: "use 1 to \(DomainName.maximumLength) lower-case letters, digits, dots and hyphens")
    }
    guard catalog.count <= Format.maximumCatalogLength else {
      throw JournalError(
        .tooLarge, "the catalogue has \(UInt64(catalog.count).grouped) bytes, and 1 MiB is allowed",
        remedy: "describe fewer events")
    }
    self.name = name
    self.catalog = catalog
    described = SegmentCatalog(inflated: catalog)
  }
}

extension JournalIdentity {
  /// - Throws: `damaged` where no file says whose events they are.
  func requireKnownDomain() throws(JournalError) {
    guard isDomainUnknown else { return }
    throw JournalError(
      .damaged, "neither JOURNAL nor a segment's header says of which domain the events are",
      remedy: "restore JOURNAL or a segment from a copy", file: Format.identityName)
  }

  /// Refuses to write events of another domain than the journal's.
  func require(_ other: JournalDomain?, at path: String) throws(JournalError) {
    try requireKnownDomain()
    guard let domain, domain != other?.name else { return }
    throw JournalError(
      .otherDomain,
      "the journal is of the domain \"\(domain)\", and "
        + (other.map { "would be written as one of \"\($0.name)\"" } ?? "the program that would write it names none"),
      remedy: "open it with the program that it belongs to, or choose another directory", file: path)
  }
}
