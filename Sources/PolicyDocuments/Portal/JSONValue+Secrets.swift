import AppProtection
import EventSourcing
import JSON

extension JSONValue {
  /// A list of names with values without the values that are secrets by their names.
  ///
  /// - Parameter property: The setting whose value it is.
  package func withoutSecrets(of property: PolicyProperty) -> JSONValue {
    guard property.privacy != .public, let elements = array else { return self }
    return .array(
      elements.map { element in
        guard let object = element.object, let name = object["name"]?.string, let value = object["value"]?.string,
          Privacy.isSecret(value, named: name)
        else { return element }
        return .object(
          object.members.map {
            $0.name == "value" ? .init($0.name, .object([.init("redacted", .string("secret"))])) : $0
          })
      })
  }
}
