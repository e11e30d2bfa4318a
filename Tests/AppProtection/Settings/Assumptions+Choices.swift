import EventSourcing

@testable import AppProtection

extension Assumptions {
  /// The choices that are answered by yes or no and whose default is yes.
  static let choices = descriptor.fields.filter { field in
    if case .bool = field.type { field.cardinality == .optional } else { false }
  }

  /// The defaults with these choices answered by no.
  static func denying(_ choices: [FieldDescriptor]) -> Assumptions {
    var assumptions = Assumptions()
    for choice in choices { _ = assumptions.set(choice.number, to: 0) }
    return assumptions
  }
}
