import Expectations
import Fuzzing
import PropertyList
import Testing

@testable import PolicySettings

@Suite("A project of Xcode")
struct XcodeProjectTests {
  private static func app(app: String = "", share: String = "") throws -> XcodeProject.App {
    try #require(try XcodeProject(Array(SampleProject.text(app: app, share: share).utf8)).apps.first)
  }

  @Test("The app has its extensions, the files of the configuration for archives, and the settings of the project")
  func sound() throws {
    let app = try Self.app()
    expectEqual([app.target.name] + app.extensions.map(\.name), ["Notes", "Share"])
    expectEqual(app.target.file("INFOPLIST_FILE"), .path("Notes/Info.plist"))
    expectEqual(app.target.file("CODE_SIGN_ENTITLEMENTS"), .path("Notes/Notes.entitlements"))
    expectEqual(app.extensions[0].file("CODE_SIGN_ENTITLEMENTS"), .path("Share/Share.entitlements"))
    expectEqual(app.target.file("OTHER"), .none)
    let text = "<plist><dict><key>CFBundleIdentifier</key><string>$(PRODUCT_BUNDLE_IDENTIFIER)</string></dict></plist>"
    let list = try PropertyList.read(Array(text.utf8))
    let made = app.target.infoPlist(list.root).dictionary
    expectEqual(made?["CFBundleIdentifier"]?.string, "com.contoso.notes")
    expectEqual(made?["NSFaceIDUsageDescription"]?.string, "To open \"Notes\"")
    expectEqual(made?["NSExtension"], nil)
    expectEqual(app.extensions[0].document(nil, file: "x").scope, .infoPlist(isExtension: true))
    expectEqual(app.target.findings(file: "p"), [])
  }

  @Test(
    "A variable that the project does not define is unknown, and so is a path out of the project",
    arguments: [
      ("$(ELSEWHERE)/Info.plist", "$(ELSEWHERE)/Info.plist"), ("../Info.plist", "../Info.plist"),
      ("/etc/Info.plist", "/etc/Info.plist"), ("a/../../b.plist", "a/../../b.plist"),
      ("$(TARGET_NAME:lower)/x.plist", "$(TARGET_NAME:lower)/x.plist"), ("$(inherited)", "$(inherited)"),
    ])
  func unknown(value: String, expected: String) throws {
    let target = try Self.app(share: "INFOPLIST_KEY_X = 1; OTHER_FILE = \"\(value)\";").extensions[0]
    expectEqual(target.file("OTHER_FILE"), .unknown(expected))
  }

  @Test("Variables that stand for each other end, and the value for devices counts")
  func variables() throws {
    let app = try Self.app(
      app: "A = \"$(B)$(B)\"; B = \"$(A)$(A)\"; C = x; \"C[sdk=iphoneos*]\" = y; IPHONEOS_DEPLOYMENT_TARGET = 12.4;")
    guard case .unknown = app.target.file("A") else {
      Issue.record("A is known")
      return
    }
    expectEqual(app.target.file("C"), .path("y"))
    let findings = app.target.findings(file: "p")
    expectEqual(findings.map(\.rule), [.minimumOSTooLow])
    #expect(
      findings[0].description.contains(
        ": IPHONEOS_DEPLOYMENT_TARGET: the SDK needs iOS 14.0, and this is built for \"12.4\""))
  }

  @Test("What a configuration file may define is unknown, unless what comes before it is known")
  func configurationFiles() throws {
    func app(_ id: String) throws -> XcodeProject.App {
      let start = "\(id) /* Release */ = {"
      let text = SampleProject.text().replacing(
        start, with: "\(start) baseConfigurationReference = 8A0000000000000000000040;")
      return try #require(try XcodeProject(Array(text.utf8)).apps.first)
    }
    let own = try app("8A0000000000000000000031").target
    expectEqual(own.file("INFOPLIST_FILE"), .path("Notes/Info.plist"))
    expectEqual(own.file("OTHER_FILE"), .unknown("$(OTHER_FILE)"))
    expectEqual(own.resolved("$(PREFIX)"), "$(PREFIX)")
    let shared = try app("8A0000000000000000000033")
    expectEqual(shared.target.resolved("$(PREFIX)"), "com.contoso")
    let share = shared.extensions[0]
    expectEqual(share.file("OTHER_FILE"), .unknown("$(OTHER_FILE)"))
    let empty = PropertyListValue(.dictionary(PropertyListDictionary()))
    let made = share.infoPlist(empty).dictionary
    expectEqual(made?["NSFaceIDUsageDescription"]?.string, "$(INFOPLIST_KEY_NSFaceIDUsageDescription)")
    expectEqual(made?["CFBundleIdentifier"]?.string, "com.contoso.notes.share")
    expectEqual(try Self.app().extensions[0].infoPlist(empty).dictionary?["NSFaceIDUsageDescription"], nil)
  }

  @Test(
    "A condition that is not understood makes a setting unknown, and one for another platform does not count",
    arguments: [
      ("\"A[config=Release]\" = b;", XcodeProject.File.unknown("$(A)")),
      ("\"A[sdk=iphoneos18.0]\" = b;", .unknown("$(A)")), ("\"A[sdk=iphoneos*][arch=arm64]\" = b;", .unknown("$(A)")),
      ("\"A[sdk=iphonesimulator*]\" = b;", .path("a")), ("\"A[sdk=*]\" = b;", .unknown("$(A)")),
      ("\"A[sdk=macosx*][arch=arm64]\" = (b);", .path("a")), ("AA = b;", .path("a")),
    ])
  func conditions(other: String, expected: XcodeProject.File) throws {
    expectEqual(try Self.app(app: "A = a; \(other)").target.file("A"), expected)
  }

  @Test(
    "Targets for other platforms are not judged",
    arguments: [
      ("appletvos", 0), ("watchos", 0), ("macosx", 0), ("iphoneos18.0", 1), ("\"$(ELSEWHERE)\"", 1), ("auto", 0),
      ("auto; SUPPORTED_PLATFORMS = \"iphoneos iphonesimulator macosx\"", 1),
      ("auto; SUPPORTED_PLATFORMS = macosx", 0), ("auto; SUPPORTED_PLATFORMS = \"$(ELSEWHERE)\"", 1),
    ])
  func platforms(root: String, expected: Int) throws {
    let text = SampleProject.text().replacing("SDKROOT = iphoneos", with: "SDKROOT = \(root)")
    expectEqual(try XcodeProject(Array(text.utf8)).apps.count, expected)
  }

  @Test("Extensions of watches and televisions are not those of an app, and no target counts twice")
  func targets() throws {
    for type in ["watchkit2-extension", "tv-app-extension", "xcode-extension"] {
      let text = SampleProject.text().replacing("app-extension", with: type)
      expectEqual(try XcodeProject(Array(text.utf8)).apps.first?.extensions.count, 0, "\(type)")
    }
    let twice = "targets = (8A0000000000000000000011, 8A0000000000000000000010, "
    let app = try XcodeProject(Array(SampleProject.text().replacing("targets = (", with: twice).utf8)).apps
    expectEqual([app.count, app.first?.extensions.count], [1, 1])
    let ids = (0...1000).map { "T\($0)" }
    let many = SampleProject.text().replacing("targets = (", with: "targets = (\(ids.joined(separator: ",")),")
      .replacing(
        "objects = {",
        with: "objects = {" + ids.map { "\($0) = {productType = \"com.apple.product-type.application\";};" }.joined())
    do throws(XcodeProjectError) {
      _ = try XcodeProject(Array(many.utf8))
      Issue.record("the targets are read")
    } catch {
      #expect("\(error)".hasSuffix("the project has more than 1000 apps and extensions"))
    }
  }

  @Test("What variables expand to is bounded, and text without end is passed over once")
  func bounded() throws {
    let long = String(repeating: "x", count: 40 << 10)
    let target = try Self.app(app: "A = \(long);").target
    expectEqual(target.resolved("$(A)$(A)"), "\(long)$(A)")
    let entries = (0..<120).map { PropertyListDictionary.Entry("\($0)", PropertyListValue(.string("$(A)"))) }
    let made = target.infoPlist(PropertyListValue(.dictionary(PropertyListDictionary(entries)))).dictionary
    expectEqual(made?.entries.count { $0.value.string == long }, 102)
    let open = String(repeating: "$(${", count: 50_000)
    #expect(target.resolved(open) == open)
  }

  @Test(
    "A project that is damaged is refused with the place and the reason",
    arguments: [
      (
        "<plist/>",
        "line 1, column 1: this project is a property list in XML, which Xcode does not write; save the project in Xcode again"
      ),
      ("[1]", "line 1, column 1: this does not begin as the project of Xcode does"),
      ("{\n\ta = 1\n}", "line 3, column 1: a semicolon is missing here"),
      ("{a 1;}", "line 1, column 4: an equals sign is missing here"),
      ("{a = (1 2);}", "line 1, column 9: a comma is missing here"),
      ("{a = \"x;}", "line 1, column 10: a text in quotes does not end"),
      ("{a = ;}", "line 1, column 6: a word or a text in quotes is missing here"),
      ("{a = 1; a = 2;}", "line 1, column 14: a key occurs twice"),
      ("{/*/ a */ = 1;}", "line 1, column 11: a word or a text in quotes is missing here"),
      ("{a = 1; /* b", "line 1, column 13: the project ends too early"),
      ("{} x", "line 1, column 4: something follows the end of the project"),
    ])
  func refusals(text: String, expected: String) {
    do throws(XcodeProjectError) {
      _ = try XcodeProject(Array(text.utf8))
      Issue.record("\(text) is read")
    } catch {
      expectEqual("\(error)", expected)
    }
    let nested = Array("{a = \(String(repeating: "(", count: 1000))".utf8)
    #expect(throws: XcodeProjectError.self) { try XcodeProject(nested) }
  }
}
