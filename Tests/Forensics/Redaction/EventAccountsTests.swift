import Expectations
import AppProtection
import EventSourcing
import Forensics
import Testing
import WireFormat

@Suite("The accounts that an event concerns")
struct EventAccountsTests {
  private static let order = ReferenceDescriptor("order", prefix: "o")
  private static let descriptor = MessageDescriptor(
    "Shipped",
    [
      FieldDescriptor(1, "buyer", .reference(EventAccounts.kind), .single, "who bought"),
      FieldDescriptor(2, "order", .reference(order), .single, "what was bought"),
      FieldDescriptor(3, "payer", .reference(EventAccounts.kind), .single, "who paid"),
    ])

  private static var fields: MessageFields {
    var writer = WireWriter()
    for (field, number): (Int, UInt64) in [(1, 4), (2, 9), (3, 4)] { writer.write(field, unsigned: number) }
    return MessageFields(writer.bytes, as: descriptor)
  }

  @Test("References to accounts count once, and those to other things do not")
  func numbers() {
    expectEqual(EventAccounts.numbers(in: Self.fields), [4])
  }

  @Test("A reference is printed with the prefix of its kind")
  func text() {
    let texts = Self.fields.fields.map { field in field.values.map { ValueText(.on).text($0, field.privacy) } }
    expectEqual(texts, [["a4"], ["o9"], ["a4"]])
  }

  @Test("What app protection calls an account is one here, and has its names")
  func domain() {
    expectEqual(AccountNumber.kind, EventAccounts.kind)
    expectEqual(AccountNumber.first.description, AccountNumber.kind.text(1))
    #expect(AppProtectionMachine.identities(of: 1, Self.order, in: AppProtectionState()).isEmpty)
  }

  @Test("The schema says what a number refers to")
  func schema() {
    let entry = EventDescriptor(1, "order.shipped", body: Self.descriptor, meaning: "An order was shipped.")
    let text = SchemaText(EventCatalog([entry]), package: "shop").text
    #expect(text.contains("an account's number, 0 is none"))
    #expect(text.contains("an order's number, 0 is none"))
  }
}
