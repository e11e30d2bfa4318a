/// The type that a JSON object of Graph states.
package struct GraphTypeName: Equatable {
  /// The type without `#` and namespace, such as `iosManagedAppProtection`.
  package let name: String

  /// Reads an `@odata.type`; some exports omit the leading `#`.
  package init(annotation: String) {
    let text = annotation.hasPrefix("#") ? annotation.dropFirst() : annotation[...]
    name = String(text.hasPrefix("microsoft.graph.") ? text.dropFirst("microsoft.graph.".count) : text)
  }
}
