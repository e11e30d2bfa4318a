import CommandLineInterface
import JSON
import PropertyList
import PlainText
import WireFormat

/// The example of the page on the module PlainText.
func plainTextExample(eventTypes: [String]) {
  let nearest = EditDistance.nearest(to: "wipe.requsted", in: eventTypes, limit: 1)
  print(nearest)  // ["wipe.requested"]
}

/// The example of the page on the module WireFormat.
func wireFormatExample() {
  var writer = WireWriter()
  writer.write(7, string: "a1")
  writer.write(9, message: { $0.write(1, unsigned: 42) })
  print(writer.bytes)  // [58, 2, 97, 49, 74, 2, 8, 42]
}

/// The example of the page on the module JSON.
func jsonExample(bytes: [UInt8]) throws {
  let root = try JSONDocument.parse(bytes).root
  let name = try root.required("displayName").string()
  let length = try root.optional("minimumPinLength")?.integer(in: 0...16)
  print(name, length ?? 0)
}

/// The example of the page on the module PropertyList.
func propertyListExample(bytes: [UInt8]) throws {
  let list = try PropertyList.read(bytes)
  print(list.root.dictionary?["CFBundleIdentifier"]?.string ?? "none")  // com.contoso.notes
}

/// The example of the page on the module CommandLineInterface.
func commandLineExample() throws {
  let tool = CommandLineTool(
    name: "pj", version: "1.0.0", summary: "replays policy journals",
    groups: [
      CommandGroup(
        "look",
        [
          CommandDescription(
            "log", "Prints one line an event.",
            positionals: [PositionalDescription("PATH", .optional, completion: .file, "The journal.")],
            options: [OptionDescription("type", short: "t", value: "GLOB", repeatable: true, "Only these types.")])
        ])
    ])
  switch try tool.parse(["log", "field.pj", "-t", "wipe.*"]) {
  case .run(let arguments): print(arguments.values(of: "type"))  // ["wipe.*"]
  case .help(let command): print(tool.helpText(for: command))
  case .overview: print(tool.overview())
  case .version: print(tool.version)
  }
}
