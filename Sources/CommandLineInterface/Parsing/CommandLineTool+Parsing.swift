extension CommandLineTool {
  /// Parses a command line.
  ///
  /// Options follow the GNU tools: `--name value`, `--name=value`, `-n value`, `-nvalue`, joined short flags; `--` ends
  /// the options. Options may appear anywhere after the command, global ones also before it. An option with a value
  /// always takes the next word, and a dash followed by a digit is a positional, so `-2h` can be either. `--help` and
  /// `-h` anywhere request help.
  ///
  /// - Parameter words: The words after the tool's own name.
  /// - Throws: ``ArgumentError`` for the first error.
  public func parse(_ words: some Sequence<String>) throws(ArgumentError) -> Invocation {
    var parser = ArgumentParser(self)
    return try parser.parse(words)
  }
}
