import AppProtection
import EventSourcing

extension ProtectionQuestion {
  /// A question with every choice that its form has, as texts.
  public struct Surface: Sendable {
    /// What the question asks.
    public let meaning: String
    /// Its texts, in the order of the choices: of a location, one for each account whose location it may be, the owner first.
    public let texts: [[String]]
  }

  /// All that can be asked about an account without a value that only a developer knows, such as a URL: every location, every
  /// feature, and every other party as the sender and as the receiver.
  ///
  /// - Parameters:
  ///   - owner: The account, by its number or a name that stands for it.
  ///   - other: One of another organization.
  public static func surface(of owner: String, beside other: String) -> [Surface] {
    let parties = [
      owner, other, "none", "managedApp:\(owner)", "managedApp:\(other)", "managedApp", "unmanagedApp",
      "deviceManagedApp",
    ]
    return forms.compactMap { form in
      let required = form.parameters.filter { $0.standard == nil }
      guard required.allSatisfy({ !$0.isOpen }) else { return nil }
      let choices = required.map { parameter in
        parameter.choices.isEmpty
          ? parameter.accepts("unmanagedApp") ? parties : parameter.accepts("\(AccountNumber.first)") ? [owner] : []
          : parameter.choices
      }
      var values: [[String]] = [[]]
      for choice in choices { values = values.flatMap { start in choice.map { start + [$0] } } }
      // Between two parties, the account is one of them; anything else is not about its policy.
      let isBetween = choices.count { $0 == parties } == 2
      let asked = values.filter { !isBetween || $0.count { $0 == owner } == 1 }
      guard !asked.isEmpty else { return nil }
      let places = form.parameters.contains { $0.isOfLocation } ? [[], [other], ["none"]] : [[]]
      return Surface(
        meaning: form.meaning,
        texts: asked.map { values in
          places.map { place in
            let values = values + place
            return values.isEmpty ? form.name : "\(form.name)(\(values.joined(separator: ", ")))"
          }
        })
    }
  }
}

extension QuestionParameter {
  /// Whether it is the account of a location, which is the owner of the data if none is named.
  fileprivate var isOfLocation: Bool { name == "account" && standard == "" }

  /// Whether it takes any text.
  fileprivate var isOpen: Bool { choices.isEmpty && accepts("\u{0}") }
}
