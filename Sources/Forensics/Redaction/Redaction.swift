import EventSourcing
import JSON
import SensitiveText

/// Decides which values of a history may be shown.
///
/// Accounts always appear under their pseudonyms (`a1`), because events refer to them only by number. Personal values
/// are in fields of class ``/EventSourcing/Privacy/account`` and are withheld unless revealed explicitly; secrets are
/// never shown. A withheld value is shown as withheld, never as empty.
public struct Redaction: Equatable, Sendable {
  /// Whether values that identify a person or organisation are shown.
  public let revealsAccounts: Bool
  /// The keys in paths.
  private let names: KeyedNames
  private let hasPersonalKeys: Bool

  /// Shows only what is not personal.
  public static let on = Redaction(revealing: false, .none)
  /// Shows everything except secrets.
  public static let revealing = Redaction(revealing: true, .none)

  /// The rule for a state, which says who may see the keys in its paths: those of a ``/EventSourcing/KeyedTable`` have the class of
  /// the fields they come from, and those of a dictionary in a public field are public.
  ///
  /// ```swift
  /// house.tree().text(Redaction(revealing: false, pathsOf: House.self))
  /// ```
  ///
  /// - Parameters:
  ///   - revealsAccounts: Whether values that identify a person or organisation are shown.
  ///   - state: The type of the state.
  public init<State: MachineState>(revealing revealsAccounts: Bool, pathsOf state: State.Type) {
    self.init(revealing: revealsAccounts, KeyedNames(of: state))
  }

  private init(revealing revealsAccounts: Bool, _ names: KeyedNames) {
    (self.revealsAccounts, self.names, hasPersonalKeys) = (revealsAccounts, names, names.hasPersonalKeys)
  }

  /// The same rule for readers who see nothing that is personal.
  var withoutPersons: Redaction { Redaction(revealing: false, names) }

  /// Whether a value of this class may be shown.
  public func shows(_ privacy: Privacy) -> Bool {
    switch privacy {
    case .public: true
    case .account: revealsAccounts
    case .secret: false
    }
  }

  /// Whether a text that is public by its field may be shown as it is: one with an address in it, such as a policy's description
  /// that names a person to ask, may identify a person all the same, and a link may hold a secret.
  public func shows(text: String) -> Bool {
    // Once for both, because hardly any text needs more.
    let signs = TextSigns(of: text)
    return (revealsAccounts || !signs.allowPersons || !TextPrivacy.identifies(text))
      && (!signs.allowSecrets || !TextPrivacy.holdsSecret(text))
  }

  /// A text of a field as it is shown, with `(secret)` in place of each secret in its links; `nil` where it is withheld.
  public func shown(_ text: String, _ privacy: Privacy = .public) -> String? {
    shows(privacy) ? TextPrivacy.shown(text, revealsPersons: revealsAccounts) : nil
  }

  /// What a program says of a history as it is shown: a sentence may quote a text of it, such as a thread's label.
  public func shown(sentence text: String) -> String { shown(text) ?? placeholder(for: .account) }

  /// A text of JSON as it is shown, with `(secret)` in place of each secret in its links; `nil` where it is withheld.
  package func shown(json text: String) -> String? {
    TextPrivacy.shown(json: text, revealsPersons: revealsAccounts)
  }

  /// A value of JSON as it is shown, with `(secret)` in place of each secret in its links; `nil` where it is withheld.
  package func shown(_ value: JSONValue) -> JSONValue? {
    guard revealsAccounts || !TextPrivacy.identifies(value) else { return nil }
    return TextPrivacy.withoutSecrets(value)
  }

  /// A path of a state as it is shown, with a placeholder for each name that may not be: a key as its class says, and where none is
  /// known, one with an address or a GUID in it, which an app or a tenant chose and may be a person's name or an object id. A
  /// pseudonym stays, and a link with a secret does not.
  public func shown(statePath path: String) -> String {
    guard hasPersonalKeys || TextSigns(of: path).allowSensitiveNames else { return path }
    var place = names
    return path.split(separator: "/", omittingEmptySubsequences: false).map { name in
      if name.isEmpty { return "" }
      defer { place = place[name] }
      return shown(name: String(name), in: place)
    }.joined(separator: "/")
  }

  /// The names in the paths of a part of the state.
  func names(at path: String) -> KeyedNames { StateTree.components(of: path).reduce(names) { $0[$1] } }

  /// The name of a part of a state.
  func shown(name: String, in place: KeyedNames) -> String {
    let isWithheld =
      switch place.privacy {
      case .public?: !revealsAccounts && TextPrivacy.identifies(name)
      case let privacy?: !shows(privacy)
      case nil: !revealsAccounts && Self.isPersonal(name)
      }
    if isWithheld, !Pseudonyms.isPseudonym(name) {
      return placeholder(for: place.privacy == .secret ? .secret : .account)
    }
    return TextPrivacy.holdsSecret(name) ? placeholder(for: .secret) : name
  }

  private static func isPersonal(_ name: String) -> Bool {
    TextPrivacy.identifies(name) || TextPrivacy.containsGUID(name)
  }

  /// The text shown in place of a withheld value of this class.
  public func placeholder(for privacy: Privacy) -> String {
    privacy == .secret ? SecretNames.placeholder : "(withheld)"
  }
}
