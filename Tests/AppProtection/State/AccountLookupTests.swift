import Expectations
import EventSourcing
import Testing
import WireFormat

@testable import AppProtection

@Suite("Finding an account among many")
struct AccountLookupTests {
  private func id(_ number: Int) -> GUID { GUID(high: UInt64(number), low: 7) }

  /// What ``AppProtectionState/account(for:)`` says, by looking at every account.
  private func search(_ state: AppProtectionState, _ reference: AccountReference) -> AccountNumber? {
    let accounts = Array(state.accounts.records)
    if let id = reference.objectID, let found = accounts.first(where: { $0.objectID == id }) { return found.account }
    guard let name = reference.userPrincipalName else { return nil }
    return accounts.first { account in
      (reference.objectID == nil || account.objectID == nil)
        && account.userPrincipalName.map { AccountReference.areEqual($0, name) } ?? false
    }?.account
  }

  @Test(
    "Among many accounts, the one found is that which a look at each would find",
    arguments: 1...20 as ClosedRange<UInt64>)
  func agrees(seed: UInt64) throws {
    var random = RandomSequence(seed: seed)
    var state = AppProtectionState()
    func name(_ number: Int) -> String? {
      number == 0 ? nil : (random.next() % 2 == 0 ? "Ada\(number)@Contoso.com" : "ada\(number)@contoso.com")
    }
    func reference() -> AccountReference {
      let number = Int(random.next() % 30)
      return AccountReference(
        objectID: number % 5 == 0 ? nil : id(number), userPrincipalName: name(Int(random.next() % 30)))
    }
    for step in 0..<300 {
      let account = try #require(AccountNumber(UInt32(1 + random.next() % 40)))
      let new = reference()
      switch random.next() % 8 {
      case 0: state.accounts.remove(account)
      case 1: state.accounts.update(account) { $0.objectID = new.objectID }
      case 2: state.accounts.update(account) { $0.userPrincipalName = new.userPrincipalName }
      case 3:
        let bytes = state.encodedSlice(2)
        try WireReader.decode(bytes) { (reader) throws(WireError) in try state.decodeSlice(2, from: &reader) }
      case 4: state.accounts.updateAll { $0.isSignedIn.toggle() }
      default:
        state.accounts.set(Account(account, objectID: new.objectID, userPrincipalName: new.userPrincipalName))
      }
      for _ in 0..<5 {
        let wanted = reference()
        expectEqual(state.account(for: wanted)?.account, search(state, wanted), "seed \(seed), step \(step)")
      }
    }
  }
}
