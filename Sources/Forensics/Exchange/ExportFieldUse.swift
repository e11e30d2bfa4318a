import EventSourcing

/// What an export does with a kind of value.
public enum ExportTreatment: String, Hashable, Sendable, CaseIterable {
  /// It leaves as it is.
  case shown
  /// A pseudonym leaves in its place.
  case pseudonym
  /// It does not leave.
  case withheld
}

/// One field of one event type, as an export meets it.
public struct ExportFieldUse: Hashable, Sendable {
  /// The event type's name; `envelope` for what every event has.
  public let type: String
  /// The names of the field and of those around it, separated by dots.
  public let field: String
  /// Who may see it.
  public let privacy: Privacy
  /// What the export does with the value.
  public let treatment: ExportTreatment
}
