extension CommandLineTool {
  /// For plain Bash: requires neither the bash-completion package nor a later version than the one on macOS.
  func bashCompletion() -> String {
    let f = "_" + functionName
    var values: [String] = []
    let forms = completedForms
    for command in forms {
      values += command.options.compactMap { bashValue($0, typed: { "'\(command.name) \($0)'" }) }
    }
    // Listed after the command's own options, which take precedence over a global option of the same name.
    values += globalOptions.compactMap { bashValue($0, typed: { "*' \($0)'" }) }
    let options = forms.map { command in
      let words = (command.options + globalOptions).flatMap(\.words).joined(separator: " ")
      return "    '\(command.name)') kind='words \(words)' ;;"
    }
    let positionals = forms.flatMap { command in
      command.positionals.enumerated().map { index, positional in
        let place = positional.maximum == 1 ? "'\(command.name) \(index)'" : "'\(command.name) '*"
        return "    \(place)) kind=\(bashKind(offer(positional.rule, positional.completion))) ;;"
      }
    }
    let actions = actionNames.isEmpty ? "''" : actionNames.map { "'\($0)'" }.joined(separator: " | ")
    let global = globalOptions.flatMap(\.words).joined(separator: " ")
    return """
      # Bash completion for \(name) \(version), generated from its table of commands.

      # Sets kind to the possible values of option $2 of command $1; empty for a flag.
      \(f)_value() {
        kind=
        case "$1 $2" in
      \(values.joined(separator: "\n"))
        esac
      }

      # Sets kind to the options that may follow command $1.
      \(f)_options() {
        case "$1" in
      \(options.joined(separator: "\n"))
          *) kind='words \(global)' ;;
        esac
      }

      # Sets kind to the possible values of word $2 of command $1, counted from 0 without options.
      \(f)_positional() {
        kind=nothing
        case "$1 $2" in
      \(positionals.joined(separator: "\n"))
        esac
      }

      \(f)() {
        local command='' kind='' pending='' closed='' index=0 inline='' i word rest
        local current=${COMP_WORDS[COMP_CWORD]}
        COMPREPLY=()
        for (( i = 1; i < COMP_CWORD; i++ )); do
          word=${COMP_WORDS[i]}
          if [[ $pending ]]; then
            # Readline splits --name=value into three words.
            [[ $word == '=' ]] || pending=''
            continue
          fi
          if [[ ! $closed ]]; then
            case $word in
              --) closed=1; continue ;;
              -[0-9]*) ;;
              --*=*) continue ;;
              --*) \(f)_value "$command" "$word"; pending=$kind; continue ;;
              -?*)
                rest=${word#-}
                while [[ $rest ]]; do
                  \(f)_value "$command" "-${rest:0:1}"
                  rest=${rest:1}
                  if [[ $kind ]]; then
                    [[ $rest ]] || pending=$kind
                    break
                  fi
                done
                continue ;;
            esac
          fi
          if [[ ! $command ]]; then
            command=$word
          else
            case "$command $word" in
              \(actions)) command="$command $word"; index=0 ;;
              *) index=$((index + 1)) ;;
            esac
          fi
        done
        if [[ $pending ]]; then
          kind=$pending
          [[ $current != '=' ]] || current=''
        elif [[ ! $closed && $current == --*=* ]]; then
          \(f)_value "$command" "${current%%=*}"
          inline=${current%%=*}=
          current=${current#*=}
        elif [[ ! $closed && $current == -* && $current != -[0-9]* ]]; then
          \(f)_options "$command"
        elif [[ ! $command ]]; then
          kind='words \(commands.map(\.name).joined(separator: " "))'
        else
          \(f)_positional "$command" "$index"
        fi
        case $kind in
          words\\ *)
            while IFS= read -r word; do COMPREPLY+=("$inline$word"); done \\
              < <(compgen -W "${kind#words }" -- "$current") ;;
          asks\\ *)
            # The tool knows what stands in the files. It answers at once, or not at all.
            i=${kind#asks }
            while IFS= read -r word; do COMPREPLY+=("$inline$word"); done \\
              < <(\(name) complete "${i%% *}" -- "$current" "${COMP_WORDS[@]:1:COMP_CWORD-1}" 2>/dev/null)
            if [[ $i == *' files' ]]; then
              compopt -o filenames 2>/dev/null
              while IFS= read -r word; do COMPREPLY+=("$inline$word"); done < <(compgen -f -- "$current")
            fi ;;
          file)
            compopt -o filenames 2>/dev/null
            while IFS= read -r word; do COMPREPLY+=("$inline$word"); done < <(compgen -f -- "$current") ;;
          directory)
            compopt -o filenames 2>/dev/null
            while IFS= read -r word; do COMPREPLY+=("$inline$word"); done < <(compgen -d -- "$current") ;;
        esac
      }

      complete -F \(f) \(name)

      """
  }

  private func bashValue(_ option: OptionDescription, typed: (String) -> String) -> String? {
    guard !option.isFlag else { return nil }
    let kind = bashKind(offer(option.rule, option.completion))
    return "    \(option.words.map(typed).joined(separator: " | "))) kind=\(kind) ;;"
  }

  private func bashKind(_ offer: Offer) -> String {
    switch offer {
    case .nothing: "nothing"
    case .file: "file"
    case .directory: "directory"
    case .words(let words): Self.shellQuoted("words " + words.joined(separator: " "))
    case .asks(let kind, let orFiles): "'asks \(kind)\(orFiles ? " files" : "")'"
    }
  }
}
