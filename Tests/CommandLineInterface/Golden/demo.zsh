#compdef demo
# Zsh completion for demo 1.2.0, generated from its table of commands.

_demo_commands() {
  local -a commands
  commands=(
    'log:Print one line an entry.'
    'show:Print everything about some entries.'
    'page:Cut or join pages.'
    'completions:Print a completion script.'
    'help:Show help.'
  )
  _describe -t commands 'demo command' commands
}

# Adds what the tool says of the files on the line, and their names where $2 is given.
_demo_ask() {
  local -a found
  found=(${(f)"$(demo complete $1 -- "$PREFIX" "${(@Q)words[1,CURRENT-1]}" 2>/dev/null)"})
  (( $#found )) && compadd -- $found
  [[ $2 == files ]] && _files
  (( $#found ))
}

_demo() {
  local curcontext="$curcontext" state line result=1
  typeset -A opt_args
  local -a global
  global=(
    '(--color)'--color='[When to use colors.]:WHEN:(auto always never)'
    '(-h --help)'{-h,--help}'[Show help and do nothing else.]'
    '(--version)'--version'[Print the version and do nothing else.]'
  )
  _arguments -C -s -S "${global[@]}" '1: :_demo_commands' '*:: :->words' && result=0
  if [[ $state == words ]]; then
    # An action is completed as a command of its own.
    if (( CURRENT > 2 )); then
      case "$words[1] $words[2]" in
        'page cut' | 'page join') words[1,2]=("$words[1] $words[2]"); (( CURRENT-- )) ;;
      esac
    fi
    case $words[1] in
      'log')
        _arguments -s -S \
          '*'{-t+,--type=}'[Only entries of these types.]:GLOB:(policy.received policy.removed wipe.requested)' \
          '(-n --count)'{-n+,--count=}'[Stop after so many entries.]:N: ' \
          '(--since)'--since='[Only entries from this position on\: a time \[UTC\], or a number.]:POS: ' \
          '(-r --reverse)'{-r,--reverse}'[The latest entry first.]' \
          '(-j --json)'{-j,--json}'[Print JSON Lines.]' \
          '(-o --output)'{-o+,--output=}'[Write there; it mustn'\''t exist.]:FILE:_files' \
          "${global[@]}" \
          '1::PATH:_files' \
          '2::RANGE: ' && result=0 ;;
      'show')
        _arguments -s -S \
          '(--in)'--in='[The directory with the logbook.]:DIR:_files -/' \
          '(--width)'--width='[The width of the page.]:COLUMNS: ' \
          "${global[@]}" \
          '1:PATH:_files' \
          '*:POS:(start end)' && result=0 ;;
      'page')
        _arguments -s -S \
          '(--dry-run)'--dry-run'[Write nothing.]' \
          '(--at)'--at='[The page to cut.]:N: ' \
          '(--tidy)'--tidy'[Close the gap.]' \
          "${global[@]}" \
          '1:ACTION:(cut join)' && result=0 ;;
      'page cut')
        _arguments -s -S \
          '(--at)'--at='[The page to cut.]:N: ' \
          '(--tidy)'--tidy'[Close the gap.]' \
          '(--dry-run)'--dry-run'[Write nothing.]' \
          "${global[@]}" \
          '1:PATH:_files' && result=0 ;;
      'page join')
        _arguments -s -S \
          '(--tidy)'--tidy'[Leave out empty pages.]' \
          '(--dry-run)'--dry-run'[Write nothing.]' \
          "${global[@]}" \
          '*:PATH:_files' && result=0 ;;
      'completions')
        _arguments -s -S \
          "${global[@]}" \
          '1:SHELL:(bash zsh fish)' && result=0 ;;
      'help')
        _arguments -s -S \
          "${global[@]}" \
          '1::SUBJECT:(log show page completions help positions exit-codes)' && result=0 ;;
    esac
  fi
  return result
}

if [[ $funcstack[1] == _demo ]]; then
  _demo "$@"
else
  compdef _demo demo
fi
