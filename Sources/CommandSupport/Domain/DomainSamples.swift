import EventSourcing
import Forensics

/// What texts name as examples, in the words of a domain.
@usableFromInline
package struct DomainSamples: Sendable {
  /// An event type.
  package let type: String
  /// The path of a value in a state, or of a part with several.
  package let path: String
  /// A pseudonym of an account; `nil` for a domain without them.
  package let account: String?
  /// A question to the rules; `nil` for a domain whose rules answer none.
  package let question: String?
  /// The rule of a likely mistake in the app, and the mistake in words; `nil` for a domain that names none.
  package let rule, mistake: String?
  /// How an event follows from another one through a third, as a clause; `nil` for a domain that names none.
  package let consequence: String?
  /// What embeds the rules in an app.
  package let engine: String
  /// The event with which a process begins, as a phrase.
  package let processStart: String

  package init(
    type: String, path: String, account: String? = nil, question: String? = nil, rule: String? = nil,
    mistake: String? = nil, consequence: String? = nil, engine: String = "engine",
    processStart: String = "the event with which the process began that wrote it"
  ) {
    (self.type, self.path, self.account, self.question) = (type, path, account, question)
    (self.rule, self.mistake, self.consequence) = (rule, mistake, consequence)
    (self.engine, self.processStart) = (engine, processStart)
  }
}

extension AnyDomain {
  /// What texts name as examples.
  package var samples: DomainSamples {
    additions?.samples
      ?? DomainSamples(
        type: entries.first?.name ?? StateMigration.descriptor.name, path: "/" + (sliceNames.first ?? ""),
        account: hasAccounts ? EventAccounts.pseudonym(1) : nil,
        question: questions.lazy.compactMap(\.sample).first)
  }
}
