extension CommandLineTool {
  /// For fish's `complete` builtin (fish-doc, "complete").
  func fishCompletion() -> String {
    let f = "__" + functionName
    var valued = globalOptions.filter { !$0.isFlag }.flatMap { $0.words.map { "'* \($0)'" } }
    let forms = completedForms
    for command in forms {
      valued += command.options.filter { !$0.isFlag }.flatMap { $0.words.map { "'\(command.name) \($0)'" } }
    }
    let actions = actionNames.map { "'\($0)'" }.joined(separator: " ")
    var lines: [String] = []
    for command in commands {
      lines.append("complete -c \(name) -n '\(f)_is_at \"\"' -a \(command.name) -d \(Self.fishQuoted(command.summary))")
    }
    lines += globalOptions.map { "complete -c \(name)" + fishArguments($0) }
    for command in forms {
      let place = "\(f)_is_at \"\(command.name)\""
      lines += command.options.map { "complete -c \(name) -n '\(place)'" + fishArguments($0) }
      for (index, positional) in command.positionals.enumerated() {
        let offered = fishArguments(positional.rule, positional.completion)
        guard !offered.isEmpty else { continue }
        let index = positional.maximum == 1 ? "\(index)" : "\(index) or-later"
        lines.append(
          "complete -c \(name) -n '\(place) \(index)'\(offered) -d \(Self.fishQuoted(positional.name))")
      }
    }
    return """
      # Fish completion for \(name) \(version), generated from its table of commands.

      # Succeeds when option $argv[2] of command $argv[1] has a value.
      function \(f)_has_value
        switch "$argv[1] $argv[2]"
          case \(valued.isEmpty ? "''" : valued.joined(separator: " "))
            return 0
        end
        return 1
      end

      # Prints the command before the cursor, or an empty line, and the number of words other than options after it.
      function \(f)_place
        set -l words (commandline -opc)
        set -e words[1]
        set -l command ''
        set -l index 0
        set -l pending no
        set -l closed no
        for word in $words
          if test $pending = yes
            set pending no
            continue
          end
          if test $closed = no
            if test "$word" = --
              set closed yes
              continue
            else if string match -qr -- '^--[^=]*=' $word
              continue
            else if string match -qr -- '^--' $word
              \(f)_has_value "$command" $word; and set pending yes
              continue
            else if string match -qr -- '^-[^0-9]' $word
              set -l letters (string split '' -- (string sub -s 2 -- $word))
              while set -q letters[1]
                if \(f)_has_value "$command" -$letters[1]
                  set -q letters[2]; or set pending yes
                  break
                end
                set -e letters[1]
              end
              continue
            end
          end
          if test -z "$command"
            set command $word
          else if contains -- "$command $word" \(actions)
            set command "$command $word"
            set index 0
          else
            set index (math $index + 1)
          end
        end
        printf '%s\\n' "$command" $index
      end

      # Succeeds when the cursor is after command $argv[1] and, if given, at word $argv[2] of it.
      function \(f)_is_at
        set -l place (\(f)_place)
        test "$place[1]" = "$argv[1]"; or return 1
        set -q argv[2]; or return 0
        test $place[2] -eq $argv[2]; and return 0
        set -q argv[3]; and test $place[2] -gt $argv[2]
      end

      # Prints what the tool says of the files on the line.
      function \(f)_ask
        set -l words (commandline -opc)
        \(name) complete $argv[1] -- (commandline -ct) $words[2..-1] 2>/dev/null
      end

      complete -c \(name) -f
      \(lines.joined(separator: "\n"))

      """
  }

  private func fishArguments(_ option: OptionDescription) -> String {
    var words = option.short.map { " -s \($0)" } ?? ""
    words += " -l \(option.name)"
    if !option.isFlag {
      let offered = fishArguments(option.rule, option.completion)
      words += offered.isEmpty ? " -x" : " -r" + offered
    }
    return words + " -d " + Self.fishQuoted(option.meaning)
  }

  /// The arguments of `complete` for what is offered; empty if nothing is.
  private func fishArguments(_ rule: ValueRule, _ completion: ValueCompletion) -> String {
    switch offer(rule, completion) {
    case .nothing: ""
    case .file: " -F"
    case .directory: " -f -a '(__fish_complete_directories (commandline -ct))'"
    case .asks(let kind, let orFiles): (orFiles ? " -F" : " -f") + " -a '(__\(functionName)_ask \(kind))'"
    case .words(let words): " -f -a " + Self.fishQuoted(words.joined(separator: " "))
    }
  }

  /// The text in single quotes for fish, where a backslash escapes itself and the quote.
  private static func fishQuoted(_ text: String) -> String {
    var result = "'"
    for character in text {
      if character == "'" || character == "\\" { result.append("\\") }
      result.append(character)
    }
    return result + "'"
  }
}
