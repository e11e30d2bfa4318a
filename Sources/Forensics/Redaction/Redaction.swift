import EventSourcing
import JSON

/// Decides which values of a history may be shown.
///
/// Accounts always appear under their pseudonyms (`a1`), because events refer to them only by number. Personal values
/// are in fields of class ``/EventSourcing/Privacy/account`` and are withheld unless revealed explicitly; secrets are
/// never shown. A withheld value is shown as withheld, never as empty.
public struct Redaction: Equatable, Sendable {
  /// Whether values that identify a person or organisation are shown.
  public let revealsAccounts: Bool

  /// Shows only what is not personal.
  public static let on = Redaction(revealsAccounts: false)
  /// Shows everything except secrets.
  public static let revealing = Redaction(revealsAccounts: true)

  /// Whether a value of this class may be shown.
  public func shows(_ privacy: Privacy) -> Bool {
    switch privacy {
    case .public: true
    case .account: revealsAccounts
    case .secret: false
    }
  }

  /// Whether a text may be shown that is public by its field: one with an address in it, such as a policy's description that
  /// names a person to ask, may identify a person all the same.
  public func shows(text: String) -> Bool { revealsAccounts || !JSONExcerpt.containsAddress(text) }

  /// A path of a state as it is shown, with a placeholder for each name that has an address or a GUID in it: a key that an
  /// app or a tenant chose may be a person's name or an object id. A pseudonym stays.
  public func shown(statePath path: String) -> String {
    guard !revealsAccounts, Self.mayName(path) else { return path }
    return path.split(separator: "/", omittingEmptySubsequences: false).map { name in
      let name = String(name)
      let isPersonal = JSONExcerpt.$showsPersons.withValue(false) { JSONExcerpt.isWithheld(name) }
      return isPersonal && !Pseudonyms.isPseudonym(name) ? placeholder(for: .account) : name
    }.joined(separator: "/")
  }

  /// Whether a path has what an address or a GUID needs, which hardly any has.
  private static func mayName(_ path: String) -> Bool {
    var path = path
    return path.withUTF8 { bytes in
      var (signs, hyphens) = (0, 0)
      // Without branches, so that the processor takes many bytes at a time.
      for byte in bytes {
        signs &+= byte == UInt8(ascii: "@") ? 1 : 0
        hyphens &+= byte == UInt8(ascii: "-") ? 1 : 0
      }
      return signs > 0 || hyphens >= 4
    }
  }

  /// The text shown in place of a withheld value of this class.
  public func placeholder(for privacy: Privacy) -> String {
    privacy == .secret ? "(secret)" : "(withheld)"
  }
}
