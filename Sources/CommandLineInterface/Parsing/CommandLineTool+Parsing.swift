extension CommandLineTool {
  /// Reads a command line.
  ///
  /// Options follow the GNU tools: `--name value`, `--name=value`, `-n value`, `-nvalue`, joined short flags, `--` ends
  /// the options, and options stand anywhere after the command, global ones also before it. An option with a value
  /// takes the next word whatever it looks like, and a dash with a digit after it is a positional, so that `-2h` can be
  /// either. `--help` and `-h` anywhere ask for help.
  ///
  /// - Parameter words: The words after the tool's own name.
  /// - Throws: ``ArgumentError`` for the first thing that is wrong.
  public func parse(_ words: some Sequence<String>) throws(ArgumentError) -> Invocation {
    var parser = ArgumentParser(self)
    return try parser.parse(words)
  }
}
