# Fish completion for demo 1.2.0, generated from its table of commands.

# Succeeds when option $argv[2] of command $argv[1] has a value.
function __demo_has_value
  switch "$argv[1] $argv[2]"
    case '* --color' 'log -t' 'log --type' 'log -n' 'log --count' 'log --since' 'log -o' 'log --output' 'show --in' 'show --width' 'page --at' 'page cut --at'
      return 0
  end
  return 1
end

# Prints the command before the cursor, or an empty line, and the number of words other than options after it.
function __demo_place
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
        __demo_has_value "$command" $word; and set pending yes
        continue
      else if string match -qr -- '^-[^0-9]' $word
        set -l letters (string split '' -- (string sub -s 2 -- $word))
        while set -q letters[1]
          if __demo_has_value "$command" -$letters[1]
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
    else if contains -- "$command $word" 'page cut' 'page join'
      set command "$command $word"
      set index 0
    else
      set index (math $index + 1)
    end
  end
  printf '%s\n' "$command" $index
end

# Succeeds when the cursor is after command $argv[1] and, if given, at word $argv[2] of it.
function __demo_is_at
  set -l place (__demo_place)
  test "$place[1]" = "$argv[1]"; or return 1
  set -q argv[2]; or return 0
  test $place[2] -eq $argv[2]; and return 0
  set -q argv[3]; and test $place[2] -gt $argv[2]
end

# Prints what the tool says of the files on the line.
function __demo_ask
  set -l words (commandline -opc)
  demo complete $argv[1] -- (commandline -ct) $words[2..-1] 2>/dev/null
end

complete -c demo -f
complete -c demo -n '__demo_is_at ""' -a log -d 'Print one line an entry.'
complete -c demo -n '__demo_is_at ""' -a show -d 'Print everything about some entries.'
complete -c demo -n '__demo_is_at ""' -a page -d 'Cut or join pages.'
complete -c demo -n '__demo_is_at ""' -a completions -d 'Print a completion script.'
complete -c demo -n '__demo_is_at ""' -a help -d 'Show help.'
complete -c demo -l color -r -f -a 'auto always never' -d 'When to use colors.'
complete -c demo -s h -l help -d 'Show help and do nothing else.'
complete -c demo -l version -d 'Print the version and do nothing else.'
complete -c demo -n '__demo_is_at "log"' -s t -l type -r -f -a 'policy.received policy.removed wipe.requested' -d 'Only entries of these types.'
complete -c demo -n '__demo_is_at "log"' -s n -l count -x -d 'Stop after so many entries.'
complete -c demo -n '__demo_is_at "log"' -l since -x -d 'Only entries from this position on: a time [UTC], or a number.'
complete -c demo -n '__demo_is_at "log"' -s r -l reverse -d 'The latest entry first.'
complete -c demo -n '__demo_is_at "log"' -s j -l json -d 'Print JSON Lines.'
complete -c demo -n '__demo_is_at "log"' -s o -l output -r -F -d 'Write there; it mustn\'t exist.'
complete -c demo -n '__demo_is_at "log" 0' -F -d 'PATH'
complete -c demo -n '__demo_is_at "show"' -l in -r -f -a '(__fish_complete_directories (commandline -ct))' -d 'The directory with the logbook.'
complete -c demo -n '__demo_is_at "show"' -l width -x -d 'The width of the page.'
complete -c demo -n '__demo_is_at "show" 0' -F -d 'PATH'
complete -c demo -n '__demo_is_at "show" 1 or-later' -f -a 'start end' -d 'POS'
complete -c demo -n '__demo_is_at "page"' -l dry-run -d 'Write nothing.'
complete -c demo -n '__demo_is_at "page"' -l at -x -d 'The page to cut.'
complete -c demo -n '__demo_is_at "page"' -l tidy -d 'Close the gap.'
complete -c demo -n '__demo_is_at "page" 0' -f -a 'cut join' -d 'ACTION'
complete -c demo -n '__demo_is_at "page cut"' -l at -x -d 'The page to cut.'
complete -c demo -n '__demo_is_at "page cut"' -l tidy -d 'Close the gap.'
complete -c demo -n '__demo_is_at "page cut"' -l dry-run -d 'Write nothing.'
complete -c demo -n '__demo_is_at "page cut" 0' -F -d 'PATH'
complete -c demo -n '__demo_is_at "page join"' -l tidy -d 'Leave out empty pages.'
complete -c demo -n '__demo_is_at "page join"' -l dry-run -d 'Write nothing.'
complete -c demo -n '__demo_is_at "page join" 0 or-later' -F -d 'PATH'
complete -c demo -n '__demo_is_at "completions" 0' -f -a 'bash zsh fish' -d 'SHELL'
complete -c demo -n '__demo_is_at "help" 0' -f -a 'log show page completions help positions exit-codes' -d 'SUBJECT'
