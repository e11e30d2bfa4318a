# Bash completion for demo 1.2.0, generated from its table of commands.

# Sets kind to the possible values of option $2 of command $1; empty for a flag.
_demo_value() {
  kind=
  case "$1 $2" in
    'log -t' | 'log --type') kind='words policy.received policy.removed wipe.requested' ;;
    'log -n' | 'log --count') kind=nothing ;;
    'log --since') kind=nothing ;;
    'log -o' | 'log --output') kind=file ;;
    'show --in') kind=directory ;;
    'show --width') kind=nothing ;;
    'page --at') kind=nothing ;;
    'page cut --at') kind=nothing ;;
    *' --color') kind='words auto always never' ;;
  esac
}

# Sets kind to the options that may follow command $1.
_demo_options() {
  case "$1" in
    'log') kind='words -t --type -n --count --since -r --reverse -j --json -o --output --color -h --help --version' ;;
    'show') kind='words --in --width --color -h --help --version' ;;
    'page') kind='words --dry-run --at --tidy --color -h --help --version' ;;
    'page cut') kind='words --at --tidy --dry-run --color -h --help --version' ;;
    'page join') kind='words --tidy --dry-run --color -h --help --version' ;;
    'completions') kind='words --color -h --help --version' ;;
    'help') kind='words --color -h --help --version' ;;
    *) kind='words --color -h --help --version' ;;
  esac
}

# Sets kind to the possible values of word $2 of command $1, counted from 0 without options.
_demo_positional() {
  kind=nothing
  case "$1 $2" in
    'log 0') kind=file ;;
    'log 1') kind=nothing ;;
    'show 0') kind=file ;;
    'show '*) kind='words start end' ;;
    'page 0') kind='words cut join' ;;
    'page cut 0') kind=file ;;
    'page join '*) kind=file ;;
    'completions 0') kind='words bash zsh fish' ;;
    'help 0') kind='words log show page completions help positions exit-codes' ;;
  esac
}

_demo() {
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
        --*) _demo_value "$command" "$word"; pending=$kind; continue ;;
        -?*)
          rest=${word#-}
          while [[ $rest ]]; do
            _demo_value "$command" "-${rest:0:1}"
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
        'page cut' | 'page join') command="$command $word"; index=0 ;;
        *) index=$((index + 1)) ;;
      esac
    fi
  done
  if [[ $pending ]]; then
    kind=$pending
    [[ $current != '=' ]] || current=''
  elif [[ ! $closed && $current == --*=* ]]; then
    _demo_value "$command" "${current%%=*}"
    inline=${current%%=*}=
    current=${current#*=}
  elif [[ ! $closed && $current == -* && $current != -[0-9]* ]]; then
    _demo_options "$command"
  elif [[ ! $command ]]; then
    kind='words log show page completions help'
  else
    _demo_positional "$command" "$index"
  fi
  case $kind in
    words\ *)
      while IFS= read -r word; do COMPREPLY+=("$inline$word"); done \
        < <(compgen -W "${kind#words }" -- "$current") ;;
    asks\ *)
      # The tool knows what stands in the files. It answers at once, or not at all.
      i=${kind#asks }
      while IFS= read -r word; do COMPREPLY+=("$inline$word"); done \
        < <(demo complete "${i%% *}" -- "$current" "${COMP_WORDS[@]:1:COMP_CWORD-1}" 2>/dev/null)
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

complete -F _demo demo
