import Expectations
import Fuzzing
import JSON
import Testing

@testable import CommandSupport

@Suite("pj settings check")
struct SettingsCheckTests {
  /// An app in a folder of its own, after a change.
  private static func withApp(
    _ change: (inout SampleApp) -> Void = { _ in }, _ body: (_ app: String, _ folder: String) throws -> Void
  ) throws {
    var app = try SampleApp()
    change(&app)
    try TestFiles.withTemporaryFolder { folder in
      try app.write(to: "\(folder)/Payload/Notes.app")
      try body("\(folder)/Payload/Notes.app", folder)
    }
  }

  private static func rules(_ run: ToolRun) -> [String] {
    run.records.compactMap { $0?.object?["rule"]?.string }
  }

  @Test("A folder, an ipa, an archive of Xcode and both in zip files are the same app")
  func shapes() throws {
    try Self.withApp({ $0.files["PlugIns/Share.appex/Share"] = SignedExecutable.thin(SampleApp.entitlements("x")) }) {
      app, folder in
      let line =
        "cd \(folder) && mkdir -p Notes.xcarchive/Products && cp -r Payload Notes.xcarchive/Products/Applications && "
        + "cp Payload/Notes.app/Info.plist Notes.xcarchive && tar -cf Notes.tar Notes.xcarchive && "
        + "python3 -c \"import shutil;shutil.make_archive('Notes','zip','.','Payload')\" && cp Notes.zip Notes.ipa"
      expectEqual(TestFiles.shell(line), 0)
      let names = [
        "Payload/Notes.app", "Payload/Notes.app/", "Payload", "Notes.xcarchive", "Notes.ipa", "Notes.tar",
      ]
      for name in names {
        let run = ToolRun("settings", "check", "\(folder)/\(name)", "-j")
        expectEqual(
          Self.rules(run), ["policyRequiredInAppStore", "missingKeychainGroup", "keychainGroupOrder"], "\(name)")
        expectEqual(run.code, .different)
        expectEqual(run.notes, "")
        expectEqual(run.records.last??.object?["files"]?.number, JSONNumber(2))
      }
      #expect(
        ToolRun("settings", "check", app).output.contains("\(app)/PlugIns/Share.appex/Share: line 2, column 1: "))
    }
  }

  @Test("An app is read in the current folder, and one for the simulator without judging its entitlements")
  func places() throws {
    try Self.withApp { app, folder in
      expectEqual(TestFiles.shell("cd \(folder) && cp -r Payload/Notes.app unnamed"), 0)
      expectEqual(
        ToolRun("settings", "check", "\(folder)/unnamed").output.replacing("unnamed", with: "Payload/Notes.app"),
        ToolRun("settings", "check", app).output)
    }
    try Self.withApp({ sample in
      let text = String(decoding: sample.files["Info.plist"] ?? [], as: UTF8.self)
      let mark = "<dict><key>DTPlatformName</key><string>iphonesimulator</string>"
      sample.files["Info.plist"] = Array(text.replacing("<dict>", with: mark, maxReplacements: 1).utf8)
      sample.files["Notes"] = nil
    }) { app, _ in
      let run = ToolRun("settings", "check", app)
      #expect(run.notes.contains("built for the simulator"), "\(run.notes)")
      #expect(!run.notes.contains("the entitlements are unknown"), "\(run.notes)")
    }
  }

  @Test("A sound app has notes alone, and an app whose frameworks do not fit does not")
  func frameworks() throws {
    try Self.withApp { app, _ in
      let run = ToolRun("settings", "check", app)
      expectEqual(run.code, .done)
      #expect(run.output.hasSuffix("1 note in 2 files. Next: pj settings keys (says what each setting does)\n"))
    }
    try Self.withApp({ $0.files["Frameworks/IntuneMAMSwiftStub.framework/Info.plist"] = nil }) { app, _ in
      let run = ToolRun("settings", "check", app, "-j")
      expectEqual(Self.rules(run), ["policyRequiredInAppStore", "missingFramework"])
    }
  }

  @Test("What cannot be read is named, and the rest is checked")
  func unreadable() throws {
    try Self.withApp({
      $0.files["Notes"] = Array("no executable, though long enough".utf8)
      $0.files["PlugIns/Share.appex/Info.plist"] = nil
    }) { app, folder in
      let run = ToolRun("settings", "check", app, "-j")
      expectEqual(run.code, .unreadable)
      expectEqual(Self.rules(run), ["policyRequiredInAppStore"])
      #expect(
        run.notes.contains(
          "\(app)/Notes: the signature cannot be read: byte 0: this is not a Mach-O file. Next: codesign -d --entitlements - "
        ))
      #expect(
        run.notes.contains(
          "\(app)/PlugIns/Share.appex/Info.plist: the property list of an app or an extension is missing. Next: pj help settings"
        ))
      expectEqual(TestFiles.shell("cd \(folder)/Payload && cp -r Notes.app Second.app && mkdir ../empty"), 0)
      expectEqual(
        ToolRun("settings", "check", folder).notes,
        "pj settings: \(folder): this holds 2 apps, and one is checked at a time: Payload/Notes.app, Payload/Second.app. "
          + "Next: pj settings check \(app)\n")
      expectEqual(
        ToolRun("settings", "check", "\(folder)/empty").notes,
        "pj settings: \(folder)/empty: this holds no app and no project: none here, in Payload or in Products/Applications. "
          + "Next: pj help settings\n")
    }
  }

  @Test("Entitlements that no signature has are unknown, unless Xcode left them beside the executable")
  func unsigned() throws {
    try Self.withApp({ $0.files["Notes"] = SignedExecutable.thin(nil) }) { app, _ in
      let run = ToolRun("settings", "check", app)
      expectEqual(run.code, .done)
      expectEqual(
        run.notes,
        "pj settings: \(app)/Notes: the entitlements are unknown, because the executable is missing or not signed with any\n"
      )
      try TestFiles.write(
        Array(SampleApp.entitlements("com.contoso.notes").utf8), to: "\(app)/archived-expanded-entitlements.xcent")
      expectEqual(
        Self.rules(ToolRun("settings", "check", app, "-j")), ["policyRequiredInAppStore", "missingKeychainGroup"])
    }
  }

  @Test("Links in an app lead nowhere")
  func links() throws {
    try Self.withApp { app, folder in
      let line = "cd \(folder) && mv Payload/Notes.app/PlugIns . && ln -s ../../PlugIns Payload/Notes.app/PlugIns"
      expectEqual(TestFiles.shell(line), 0)
      let run = ToolRun("settings", "check", app)
      expectEqual(run.code, .unreadable)
      expectEqual(
        run.notes,
        "pj settings: \(app)/PlugIns: a link in an app is not followed. Next: readlink -f \(app)/PlugIns\n")
      let many = "cd \(app) && rm PlugIns && mkdir PlugIns && cd PlugIns && seq 10001 | xargs touch"
      expectEqual(TestFiles.shell(many), 0)
      #expect(
        ToolRun("settings", "check", app).notes.hasPrefix(
          "pj settings: \(app)/PlugIns: the folder cannot be read, or holds more than 10000 names. Next: ls -ld "))
    }
  }

  @Test("Property lists alone are checked as well, and continuous integration gets the forms that it reads")
  func forms() {
    _ = Repository.root
    let good = "Tests/pj/PropertyLists/Good.plist"
    let words = ["settings", "check", "Tests/pj/PropertyLists/Entitlements.plist", good]
    let run = ToolRun(words + ["-j"])
    expectEqual(Self.rules(run), ["missingKeychainGroup", "keychainGroupOrder", "policyRequiredInAppStore"])
    let sarif = ToolRun(words + ["--format", "sarif"])
    #expect(sarif.output.contains("\"missingKeychainGroup\""))
    let junit = ToolRun(words + ["--format", "junit"])
    #expect(junit.output.contains("<testsuites name=\"pj settings check\" tests=\"3\" failures=\"2\" errors=\"0\">"))
    expectEqual([sarif.code, junit.code], [.different, .different])
    expectEqual(
      ToolRun("settings", "check", "--format", "junit", "nowhere.app").notes,
      "pj settings: nowhere.app: No such file or directory. Next: ls -ld nowhere.app\n")
  }

  @Test("What cannot be read is an error for continuous integration, and what is unknown a note")
  func unjudged() throws {
    func expectForms(_ path: String, junit: [String], sarif: [String]) {
      let runs = ["junit", "sarif"].map { ToolRun("settings", "check", path, "--format", $0) }
      for (run, texts) in zip(runs, [junit, sarif]) {
        for text in texts { #expect(run.output.contains(text), "\(text): \(run.output)") }
      }
    }
    expectForms(
      "absent.ipa",
      junit: ["tests=\"1\" failures=\"0\" errors=\"1\"", "<error message=\"absent.ipa: No such file or directory\"/>"],
      sarif: ["\"executionSuccessful\":false", "\"text\":\"absent.ipa: No such file or directory\""])
    try Self.withApp({ $0.files["PlugIns/Share.appex/Info.plist"] = Array("<plist><dict>".utf8) }) { app, _ in
      expectForms(app, junit: ["errors=\"1\"", "Share.appex/Info.plist: "], sarif: ["\"executionSuccessful\":false"])
    }
    try Self.withApp({ $0.files["Notes"] = SignedExecutable.thin(nil) }) { app, _ in
      let unknown = "the entitlements are unknown, because"
      expectForms(
        app, junit: ["errors=\"0\"", "<system-out>\(app)/Notes: \(unknown)"],
        sarif: ["\"executionSuccessful\":true", "\"level\":\"note\",\"message\":{\"text\":\"\(unknown)"])
    }
  }

  @Test("The frameworks are checked beside a signature that cannot be read")
  func damagedSignature() throws {
    try Self.withApp({
      $0.files["Notes"] = Array("damaged, and as long as a header is".utf8)
      $0.files["Frameworks/IntuneMAMSwiftStub.framework/Info.plist"] = nil
    }) { app, _ in
      let run = ToolRun("settings", "check", app, "-j")
      expectEqual(run.code, .unreadable)
      expectEqual(Self.rules(run), ["policyRequiredInAppStore", "missingFramework"])
    }
  }

  @Test("In an archive, an executable may have another name than its folder")
  func renamed() throws {
    try Self.withApp({
      let path = "PlugIns/Share.appex/Info.plist"
      $0.files[path] = Array(
        String(decoding: $0.files[path] ?? [], as: UTF8.self).replacing(">Share<", with: ">Sharing<").utf8)
      $0.files["PlugIns/Share.appex/Share"] = nil
      $0.files["PlugIns/Share.appex/Sharing"] = SignedExecutable.thin(SampleApp.entitlements("x"))
    }) { _, folder in
      let line =
        "cd \(folder) && mkdir Payload/Notes.app/_CodeSignature && tar -cf Notes.tar Payload && "
        + "python3 -c \"import shutil;shutil.make_archive('Notes','zip','.','Payload')\""
      expectEqual(TestFiles.shell(line), 0)
      for name in ["Payload", "Notes.tar", "Notes.zip"] {
        let run = ToolRun("settings", "check", "\(folder)/\(name)", "-j")
        expectEqual(
          Self.rules(run), ["policyRequiredInAppStore", "missingKeychainGroup", "keychainGroupOrder"], "\(name)")
        expectEqual(run.notes, "")
      }
    }
  }

  /// The project of an app with an extension, in a folder of its own.
  private static func withProject(
    app: String = "", _ change: (inout [String: String]) -> Void = { _ in }, _ body: (_ folder: String) throws -> Void
  ) throws {
    let good = String(
      decoding: try TestFiles.read("\(Repository.root)/Tests/pj/PropertyLists/Good.plist"), as: UTF8.self)
    var files = [
      "Notes.xcodeproj/project.pbxproj": SampleProject.text(app: app),
      "Notes/Info.plist": good.replacing(
        "com.contoso.notes</string>\n\t<key>NSFace", with: "$(PRODUCT_BUNDLE_IDENTIFIER)</string>\n\t<key>NSFace"),
      "Notes/Notes.entitlements": SampleApp.entitlements("com.contoso.notes", "com.microsoft.intune.mam"),
      "Share/Info.plist":
        "<plist><dict><key>CFBundleIdentifier</key><string>$(PRODUCT_BUNDLE_IDENTIFIER)</string><key>NSExtension</key><dict/>"
        + "<key>IntuneMAMSettings</key><dict><key>ContainingAppBundleId</key><string>com.contoso.memo</string></dict></dict></plist>",
      "Share/Share.entitlements": SampleApp.entitlements("com.contoso.notes.share", "com.microsoft.intune.mam"),
    ]
    change(&files)
    try TestFiles.withTemporaryFolder { folder in
      for (path, text) in files {
        let parent = path.split(separator: "/").dropLast().joined(separator: "/")
        expectEqual(TestFiles.shell("mkdir -p '\(folder)/\(parent)'"), 0)
        try TestFiles.write(Array(text.utf8), to: "\(folder)/\(path)")
      }
      try body(folder)
    }
  }

  @Test("A project is checked with the files and the values that its targets name")
  func project() throws {
    try Self.withProject(app: "IPHONEOS_DEPLOYMENT_TARGET = 13.0;") { folder in
      for word in [folder, "\(folder)/Notes.xcodeproj", "\(folder)/Notes.xcodeproj/"] {
        let run = ToolRun("settings", "check", word, "-j")
        expectEqual(
          Self.rules(run),
          [
            "minimumOSTooLow", "policyRequiredInAppStore", "foreignContainingApp", "missingKeychainGroup",
            "otherContainingApp",
          ], "\(run.notes)")
        expectEqual(run.records.last??.object?["files"]?.number, JSONNumber(2))
        expectEqual(run.notes, "")
      }
    }
  }

  @Test("What a project does not say is unknown, and what it names must be there")
  func incompleteProject() throws {
    let change = { (files: inout [String: String]) in
      files["Notes.xcodeproj/project.pbxproj"] = SampleProject.text().replacing(
        "CODE_SIGN_ENTITLEMENTS = Notes/Notes.entitlements;", with: "CODE_SIGN_ENTITLEMENTS = \"$(FILE)\";")
      files["Share/Info.plist"] = nil
    }
    try Self.withProject(change) { folder in
      let run = ToolRun("settings", "check", folder)
      expectEqual(run.code, .unreadable)
      #expect(
        run.notes.contains(
          "CODE_SIGN_ENTITLEMENTS of the target Notes is \"$(FILE)\", which is not known here or leads out of the project, so it is not checked\n"
        ))
      #expect(
        run.notes.contains(
          "\(folder)/Share/Info.plist: the target Share names this file in INFOPLIST_FILE, and it is missing. Next: ls -l "
        ))
    }
    let project = "Notes.xcodeproj/project.pbxproj"
    try Self.withProject({ $0[project] = SampleProject.text().replacing("CODE_SIGN_ENTITLEMENTS", with: "OTHER") }) {
      #expect(
        ToolRun("settings", "check", $0).notes.contains(
          "the target Notes names no CODE_SIGN_ENTITLEMENTS, so these are unknown\n"))
    }
    func refusal(_ change: (inout [String: String]) -> Void) throws -> String {
      var notes = ""
      try Self.withProject(change) { notes = ToolRun("settings", "check", $0).notes.replacing("\($0)/", with: "") }
      return notes
    }
    try expectEqual(
      refusal { $0[project] = "{a = 1}" },
      "pj settings: \(project): line 1, column 7: a semicolon is missing here. "
        + "Next: plutil -lint \(project)\n")
    #expect(try refusal { $0[project] = "{}" }.contains(": the project has no target that is an app for iOS. Next: "))
    #expect(
      try refusal { $0["B.xcodeproj/x"] = "" }.contains(
        ": this holds 2 projects, and one is checked at a time: B.xcodeproj, Notes.xcodeproj. "))
    #expect(
      try refusal {
        $0[project] = nil
        $0["Notes.xcodeproj/x"] = ""
      }.contains("\(project): the project has no such file. Next: ls -l "))
  }

  @Test("A project of which no file is known is not a project without mistakes")
  func unknownProject() throws {
    let change = { (files: inout [String: String]) in
      files["Notes.xcodeproj/project.pbxproj"] = SampleProject.text().replacing("INFOPLIST_FILE = ", with: "MADE = ")
        .replacing(
          "buildSettings = {", with: "baseConfigurationReference = 8A0000000000000000000041; buildSettings = {")
    }
    try Self.withProject(change) { folder in
      let run = ToolRun("settings", "check", folder)
      expectEqual(run.code, .unreadable)
      expectEqual(run.output, "")
      #expect(
        run.notes.contains("\(folder): nothing of this could be checked. Next: pj help settings\n"), "\(run.notes)")
      #expect(ToolRun("settings", "check", folder, "--format", "junit").output.contains("errors=\"1\""))
    }
  }

  @Test("Entitlements belong to the target that names them, wherever they are")
  func sharedFolder() throws {
    let change = { (files: inout [String: String]) in
      files["Notes.xcodeproj/project.pbxproj"] = SampleProject.text().replacing(
        "$(TARGET_NAME)/$(TARGET_NAME).entitlements", with: "Notes/Share.entitlements")
      files["Notes/Share.entitlements"] = files["Share/Share.entitlements"]
    }
    try Self.withProject(change) { folder in
      let run = ToolRun("settings", "check", folder, "-j")
      expectEqual(Self.rules(run).count { $0 == "missingKeychainGroup" }, 1)
      expectEqual(ToolRun("settings", "fix", folder, "--write").code, .done)
      let cache = Array("com.microsoft.adalcache".utf8)
      let files = ["Notes", "Share"].map { "\(folder)/Notes/\($0).entitlements" }
      expectEqual(try files.map { try TestFiles.read($0).contains(cache) }, [true, false])
    }
  }

  @Test("What several apps of a project share is judged once")
  func sharedExtension() throws {
    let change = { (files: inout [String: String]) in
      files["Notes.xcodeproj/project.pbxproj"] = SampleProject.text().replacing(
        "/* Begin PBXNativeTarget section */",
        with: """
          8A0000000000000000000014 = {isa = PBXNativeTarget; buildConfigurationList = 8A0000000000000000000020; name = Notes;
          dependencies = (8A0000000000000000000012); productType = "com.apple.product-type.application"; };
          """
      ).replacing("targets = (", with: "targets = (8A0000000000000000000014,")
    }
    try Self.withProject(change) { folder in
      let run = ToolRun("settings", "check", folder, "-j")
      expectEqual(Set(Self.rules(run)).count, Self.rules(run).count)
      expectEqual(run.records.last??.object?["files"]?.number, JSONNumber(2))
    }
  }

  @Test("An app with very many extensions is not read whole")
  func manyExtensions() throws {
    try Self.withApp { app, folder in
      expectEqual(TestFiles.shell("cd \(app)/PlugIns && for n in $(seq 200); do cp -r Share.appex $n.appex; done"), 0)
      expectEqual(TestFiles.shell("cd \(folder) && tar -cf Notes.tar Payload"), 0)
      for (path, place) in [
        (app, "\(app)/PlugIns"), ("\(folder)/Notes.tar", "\(folder)/Notes.tar/Payload/Notes.app/PlugIns"),
      ] {
        let run = ToolRun("settings", "check", path)
        expectEqual(run.code, .unreadable)
        expectEqual(
          run.notes,
          "pj settings: \(place): the app has more than 200 extensions, which are not read. Next: pj help settings\n")
      }
    }
  }

  @Test("Repair takes the files of a project, and writes them with --write alone")
  func repairedProject() throws {
    try Self.withProject { folder in
      let dry = ToolRun("settings", "fix", folder)
      expectEqual(dry.code, .different)
      #expect(dry.output.contains("\(folder)/Notes/Notes.entitlements: "), "\(dry.output)")
      expectEqual(ToolRun("settings", "fix", folder, "--write").code, .done)
      let run = ToolRun("settings", "fix", folder)
      #expect(run.code == .done && run.output.contains("Nothing to change in 4 files"), "\(run.output)")
      #expect(!Self.rules(ToolRun("settings", "check", folder, "-j")).contains("missingKeychainGroup"))
    }
    let bare = { (files: inout [String: String]) in
      files["Share/Info.plist"] = "<plist><dict><key>IntuneMAMSettings</key><dict/></dict></plist>"
    }
    try Self.withProject(bare) { folder in
      let run = ToolRun("settings", "fix", folder, "--write")
      #expect(run.code == .unreadable && run.output.isEmpty)
      #expect(
        run.notes.contains(
          "/Share/Info.plist: the target Share is an extension, and its file has no NSExtension. Next: "))
    }
  }
}
