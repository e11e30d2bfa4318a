import Expectations
import Testing

@testable import SampleNotes

/// Exit criteria of the guide's stage 4, the features in which an app takes part.
@Suite("Exit criteria of stage 4")
@MainActor
struct ParticipationGuideTests {
  /// Among policy managed apps in both directions, as the guide asks for all tests of locations.
  private static let managedApps = """
    "allowedOutboundDataTransferDestinations": "managedApps", "allowedInboundDataTransferSources": "managedApps"
    """

  /// Alice writes a note and saves it to her OneDrive and to another cloud storage.
  private func save(_ members: String) async throws -> [String] {
    let phone = try TestPhone(policy: "\(Self.managedApps), \(members)")
    await phone.signInAlice()
    let printed = await phone.type(
      """
      switch alice@contoso.com
      write minutes 'The merger closes in May.'
      save minutes oneDriveForBusiness \(phone.path("onedrive.txt")) alice@contoso.com
      save minutes box \(phone.path("box.txt"))
      """
    ).suffix(2).map { $0 }
    #expect((phone.text("onedrive.txt") == "The merger closes in May.") == (printed.first == "saved"))
    #expect((phone.text("box.txt") != nil) == (printed.last == "saved"))
    return printed
  }

  /// Alice opens a document of her OneDrive and one of another cloud storage.
  private func open(_ members: String) async throws -> [String] {
    let phone = try TestPhone(policy: "\(Self.managedApps), \(members)")
    await phone.signInAlice()
    try phone.write("plan.txt", "Hire two engineers.")
    return await phone.type(
      """
      switch alice@contoso.com
      open \(phone.path("plan.txt")) oneDriveForBusiness plan alice@contoso.com
      open \(phone.path("plan.txt")) other other
      """
    ).suffix(2).map { $0 }
  }

  @Test("Save to, fully allowed")
  func saveAllowed() async throws { try await expectEqual(save(#""saveAsBlocked": false"#).first, "saved") }

  @Test("Save to, exempted")
  func saveExempted() async throws {
    let printed = try await save(#""saveAsBlocked": true, "allowedDataStorageLocations": ["oneDriveForBusiness"]"#)
    expectEqual(printed.first, "saved")
    expectEqual(printed.last?.hasPrefix("blocked: "), true)
  }

  @Test("Save to, blocked")
  func saveBlocked() async throws {
    #expect(try await save(#""saveAsBlocked": true"#).allSatisfy { $0.hasPrefix("blocked: ") })
  }

  @Test("Open from, fully allowed")
  func openAllowed() async throws {
    try await expectEqual(open(#""blockDataIngestionIntoOrganizationDocuments": false"#).first, "opened")
  }

  @Test("Open from, exempted")
  func openExempted() async throws {
    let printed = try await open(
      """
      "blockDataIngestionIntoOrganizationDocuments": true, "allowedDataIngestionLocations": ["oneDriveForBusiness"]
      """)
    expectEqual(printed.first, "opened")
    expectEqual(printed.last?.hasPrefix("blocked: "), true)
  }

  @Test("Open from, blocked")
  func openBlocked() async throws {
    let printed = try await open(
      """
      "blockDataIngestionIntoOrganizationDocuments": true, "allowedDataIngestionLocations": []
      """)
    #expect(printed.allSatisfy { $0.hasPrefix("blocked: ") })
  }

  @Test("Copy To, select apps to exempt, none: the document opens in the other app of the same managed account")
  func copyTo() async throws {
    let phone = try TestPhone(policy: Self.managedApps)
    await phone.signInAlice()
    await phone.signInAlice(app: "word")
    let copy = phone.path("minutes")
    let shared = await phone.type(
      """
      switch alice@contoso.com
      write minutes 'The merger closes in May.'
      share minutes alice@contoso.com \(copy)
      """)
    expectEqual(shared.last, "shared")
    let read = await phone.type("switch alice@contoso.com\nreceive \(copy) minutes\nread minutes", app: "word")
    expectEqual(read, ["received", "The merger closes in May."])
  }

  @Test("Printing org data, block")
  func printBlocked() async throws {
    let printed = try await printed(#""printBlocked": true"#)
    expectEqual(printed?.hasPrefix("blocked: "), true)
  }

  @Test("Printing org data, allow")
  func printAllowed() async throws { try await expectEqual(printed(#""printBlocked": false"#), "Agenda") }

  private func printed(_ member: String) async throws -> String? {
    let phone = try TestPhone(policy: "\(Self.managedApps), \(member)")
    await phone.signInAlice()
    return await phone.type("switch alice@contoso.com\nwrite agenda Agenda\nprint agenda").last
  }

  @Test("An app configuration that targets the account is delivered to the code that asks for it")
  func configuration() async throws {
    let phone = try TestPhone()
    try configure(phone, ["https://notes.contoso.com"])
    await phone.signInAlice()
    let printed = await phone.type("switch alice@contoso.com\nconfig server\nconfig colour\nswitch\nconfig server")
    expectEqual(
      printed,
      [
        "server = https://notes.contoso.com", "colour = not configured", "server = not configured",
      ])
  }

  @Test("Several app configurations with different values for one setting are resolved, and the conflict is known")
  func conflictingConfigurations() async throws {
    let phone = try TestPhone()
    try configure(phone, ["https://b.contoso.com", "https://a.contoso.com"])
    await phone.signInAlice()
    let printed = await phone.type("switch alice@contoso.com\nconfig server")
    expectEqual(printed, ["server = https://a.contoso.com (of several)"])
  }

  private func configure(_ phone: TestPhone, _ servers: [String]) throws {
    var assignments = [#"{"document": "policies/staff.json", "groups": ["staff"]}"#]
    for (number, server) in servers.enumerated() {
      let name = "configurations/\(number).json"
      try phone.write(
        "company/\(name)",
        """
        {"@odata.type": "#microsoft.graph.targetedManagedAppConfiguration", "id": "C\(number)",
         "customSettings": [{"name": "server", "value": "\(server)"}]}
        """)
      assignments.append(#"{"document": "\#(name)", "groups": ["staff"]}"#)
    }
    try phone.write("company/assignments.json", #"{"assignments": [\#(assignments.joined(separator: ","))]}"#)
  }
}
