import EventSourcing

@testable import AppProtection

extension Assumptions {
  /// The choices that are answered by yes or no and whose absence is yes.
  static let choices = descriptor.fields.filter { field in
    if case .bool = field.type { field.cardinality == .optional } else { false }
  }

  /// What absence means, with these choices answered by no.
  static func denying(_ choices: [FieldDescriptor]) -> Assumptions {
    var assumptions = Assumptions.blank
    for choice in choices { _ = assumptions.set(choice.number, to: 0) }
    return assumptions
  }
}
