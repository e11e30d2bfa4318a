extension CommandLineTool {
  /// For `_arguments` of zsh's completion system (zshcompsys(1)).
  func zshCompletion() -> String {
    let f = "_" + functionName
    let names = commands.map { "    " + Self.shellQuoted("\($0.name):\($0.summary)") }
    let global = globalOptions.map { "    " + zshSpecification($0) }
    let cases = completedForms.map { command in
      let specifications =
        command.options.map(zshSpecification) + ["\"${global[@]}\""]
        + command.positionals.enumerated().map { zshSpecification($1, at: $0 + 1) }
      let call = (["        _arguments -s -S"] + specifications).joined(separator: " \\\n          ")
      return "      '\(command.name)')\n\(call) && result=0 ;;"
    }
    let actions = actionNames.isEmpty ? "''" : actionNames.map { "'\($0)'" }.joined(separator: " | ")
    return """
      #compdef \(name)
      # Zsh completion for \(name) \(version), generated from its table of commands.

      \(f)_commands() {
        local -a commands
        commands=(
      \(names.joined(separator: "\n"))
        )
        _describe -t commands \(Self.shellQuoted("\(name) command")) commands
      }

      # Adds what the tool says of the files on the line, and their names where $2 is given.
      \(f)_ask() {
        local -a found
        found=(${(f)"$(\(name) complete $1 -- "$PREFIX" "${(@Q)words[1,CURRENT-1]}" 2>/dev/null)"})
        (( $#found )) && compadd -- $found
        [[ $2 == files ]] && _files
        (( $#found ))
      }

      \(f)() {
        local curcontext="$curcontext" state line result=1
        typeset -A opt_args
        local -a global
        global=(
      \(global.joined(separator: "\n"))
        )
        _arguments -C -s -S "${global[@]}" '1: :\(f)_commands' '*:: :->words' && result=0
        if [[ $state == words ]]; then
          # An action is completed as a command of its own.
          if (( CURRENT > 2 )); then
            case "$words[1] $words[2]" in
              \(actions)) words[1,2]=("$words[1] $words[2]"); (( CURRENT-- )) ;;
            esac
          fi
          case $words[1] in
      \(cases.joined(separator: "\n"))
          esac
        fi
        return result
      }

      if [[ $funcstack[1] == \(f) ]]; then
        \(f) "$@"
      else
        compdef \(f) \(name)
      fi

      """
  }

  private func zshSpecification(_ option: OptionDescription) -> String {
    let value = option.placeholder.map { ":" + Self.zshEscaped($0) + ":" + zshAction(option.rule, option.completion) }
    let rest = Self.shellQuoted("[\(Self.zshEscaped(option.meaning))]" + (value ?? ""))
    // A value follows `=` or is the next word; the value of a short option may also follow the letter directly.
    let long = option.longWord + (option.isFlag ? "" : "=")
    let forms = option.shortWord.map { "{\($0)\(option.isFlag ? "" : "+"),\(long)}" } ?? long
    // A repeatable option is offered again; any other one, once given, excludes both of its forms.
    let prefix = option.isRepeatable ? "'*'" : "'(" + option.words.joined(separator: " ") + ")'"
    return prefix + forms + rest
  }

  private func zshSpecification(_ positional: PositionalDescription, at index: Int) -> String {
    let place = positional.maximum == 1 ? String(index) : "*"
    let colons = positional.count == .optional ? "::" : ":"
    let action = zshAction(positional.rule, positional.completion)
    return Self.shellQuoted(place + colons + Self.zshEscaped(positional.name) + ":" + action)
  }

  private func zshAction(_ rule: ValueRule, _ completion: ValueCompletion) -> String {
    switch offer(rule, completion) {
    case .nothing: " "
    case .file: "_files"
    case .directory: "_files -/"
    case .words(let words): "(" + words.joined(separator: " ") + ")"
    // The space keeps _arguments from inserting options before the kind.
    case .asks(let kind, let orFiles): " _\(functionName)_ask \(kind)\(orFiles ? " files" : "")"
    }
  }

  /// The text with the characters escaped that are special in a specification of `_arguments`.
  private static func zshEscaped(_ text: String) -> String {
    var result = ""
    for character in text {
      if "\\[]:".contains(character) { result.append("\\") }
      result.append(character)
    }
    return result
  }
}
