import CommandLineInterface
import Simulation

/// The texts that `pj help TOPIC` shows.
enum HelpTopics {
  /// All of them, in the order of the help.
  static let all: [HelpTopic] = [commands, positions, filters, exitCodes, redaction, scenario, damage]

  static let commands = HelpTopic(
    "commands", "what the commands have in common",
    [
      """
      Results go to standard output, everything else to standard error. Nothing that only reads ever writes; what writes \
      goes to a new place and refuses to overwrite.
      """,
      """
      Text is for people and may change. -j writes JSON Lines for programs: the first record names the schema and its \
      version, the last one is {"kind":"end","complete":true,…}; without it, something is missing. Records and \
      members are only ever added. Times are RFC 3339 in UTC, lengths of time ISO 8601, bytes hexadecimal digits.
      """,
      """
      A journal is a folder. Where none is named, the current directory is meant. It is read without a lock, also while an \
      app writes it.
      """,
      """
      On a terminal a log has one line an event, cut with … where it is narrow, and all other text wraps under its column. \
      Output longer than the screen goes through $PAGER, or less without one; an empty PAGER, cat or --no-pager shows it at \
      once. What takes longer than a second says on standard error how far it is. In a pipe or a file every line is whole.
      """,
      """
      Names of files may have any bytes. One that is not UTF-8 opens as it is; such a byte shows as \\xE9, in a next \
      command within $'…', as bash, zsh and ksh read it, and in JSON as a character from U+10FF80 to U+10FFFF: its code \
      point ends in the byte.
      """,
      """
      Colors appear on a terminal only, never carry meaning alone, and are turned off by NO_COLOR, TERM=dumb or --color never. \
      Control characters in a journal are shown as escapes and never reach the terminal.
      """,
    ])

  static let positions = HelpTopic(
    "positions", "how a place in a history is written",
    [
      .definitions([
        .init("42", "The event with this number, or the state after it."),
        .init("start, end", "Before the first event; after the last one."),
        .init("end~3", "Three events before the last one."),
        .init(
          "2026-10-05T10:00Z",
          """
          A time, in full or as far as it is known: 2026-10, 2026-10-05, with seconds, a fraction, an offset. Without an \
          offset it is UTC. What is left out makes a period: its beginning counts where a range begins, its end \
          everywhere else. As a state it means that after the last event that is not later.
          """),
        .init("10:30", "A time of day on the day of the last event, in UTC."),
        .init("-2h", "So long before the last event; s, m, h, d and w are understood."),
        .init("wipe.requested", "The last event of this type."),
        .init("wipe.requested#2", "The second event of this type."),
        .init("A..B", "A stretch with both ends; A.. and ..B reach to the end and from the start."),
        .init("JOURNAL@POS", "A position in a certain journal, where two can be named."),
      ]),
      """
      A position outside the history is an error that names the nearest one; nothing is guessed. The order of events is \
      that of the journal. Where the device's clock ran backwards, a time can mean two places: pj takes the later one \
      and says so.
      """,
      """
      A lost event may have any time and type. Where events are lost, a number still means the same event; what else is \
      no longer certain ends in 3 with a line that says which events are lost. A time is certain where the event after \
      the one found is there, end~3 and -2h where the end is, and a type where nothing is lost behind the last one or \
      before the second one. A stretch between times takes in the lost events beside it.
      """,
    ])

  static let filters = HelpTopic(
    "filters", "how events are chosen",
    [
      """
      Every filter must hold; of several values of one filter, any one. -n counts what came through. When nothing does, pj \
      says which filter kept all out and names what is near.
      """,
      .definitions([
        .init("--type GLOB", "The event's type; * and ? are wildcards: policy.*"),
        .init("--not-type GLOB", "Not this type."),
        .init(
          "--account A",
          "An account that the event concerns: its pseudonym (a1), object id or user principal name, in any case."),
        .init(
          "--path PATH",
          "The event changed this part of the state, or something below it: /policies/a1. Its line shows that change."),
        .init(
          "--findings",
          "The event points to a mistake in the app, such as an unknown status code."),
        .init(
          "--caused-by POS",
          "The event followed from that one, directly or through others, as a wipe does from the evaluation that ordered it."
        ),
        .init("-g REGEX", "The expression is found in what is shown of the event; what is withheld cannot be found."),
        .init("-w CONDITION", "The condition holds."),
      ]),
      "A condition compares fields with = and !=, and joins comparisons with and, or, not and parentheses:",
      .preformatted(["  pj log field.pj -w 'type = \"wipe.*\" and not account = \"a2\"'"]),
      """
      Fields are type, account, path, finding, seq, cause, process and text. Values are words or text in quotes, with * \
      and ? as wildcards; finding compares the rule, such as S-30, and text finds its pattern anywhere.
      """,
      """
      REGEX is an extended regular expression of POSIX, as grep -E takes it: . [a-z] [[:digit:]] * + ? {2,3} | ( ) ^ $. \
      References back to a group are refused, so that no expression takes forever. Upper and lower case differ, a dot is \
      one byte of UTF-8, and of each line the first 16 KiB are searched.
      """,
    ])

  static let exitCodes = HelpTopic(
    "exit-codes", "what the exit codes mean",
    [
      .exitCodes,
      "A damaged history never ends in 0. Every error is one line that names the place, the reason and the next command.",
    ])

  static let redaction = HelpTopic(
    "redaction", "what is shown of persons, and how to see more",
    [
      """
      Events refer to accounts by number, and pj shows account 1 as a1. The number is the same throughout one journal and \
      means nothing in another.
      """,
      """
      What identifies a person (object ids, user principal names) is withheld: it shows as (withheld), and in JSON as \
      {"redacted":"account"}. --reveal shows it, in every command. Always shown, because they name no person, are links, \
      names of apps, yes and no, numbers of up to three digits and, in a policy, what Microsoft Graph documents as a flag, \
      number, choice or version. Groups that a policy is assigned to are counted, in JSON under summary.
      """,
      """
      Free text, such as a policy's name or description, is shown unless it contains an @, as an email address does; then \
      the whole text is withheld. The @ of an OData annotation, as in @odata.type, does not count.
      """,
      """
      Keys, tokens and PINs show as (secret) and {"redacted":"secret"}, with or without --reveal, and so do fields that this \
      program does not know.
      """,
      """
      Messages about scenarios and policy documents withhold every piece of text with an @ or a GUID in it, and the \
      expected and the found value where the state holds something personal; line and column give the place. --reveal \
      shows them.
      """,
      "--account finds an account by its object id or name without showing either. -g searches only what is shown.",
    ])

  static let scenario = HelpTopic(
    "scenario", "how a scenario for pj simulate is written",
    ScenarioHelp.blocks(of: Scenario.helpText))

  static let damage = HelpTopic(
    "damage", "what the findings about a journal's bytes mean",
    [
      .definitions([
        .init(
          "torn tail", "An unfinished write at the end, which nobody was promised. Normal after a crash or a power cut."
        ),
        .init(
          "gap",
          "Bytes that do not verify before others that do, without proof that they were ever durable. It cannot be decided whether something was lost."
        ),
        .init(
          "damaged",
          "Bytes do not verify, and something proves that they were durable once; or a file that only helps does not verify, and no event is lost."
        ),
        .init(
          "lost",
          "Events were lost before the journal was salvaged, and their places are marked or the journal begins behind them; or nobody knew then whether there were others behind the last one. The bytes are sound and this is no damage; what depends on those events is not known."
        ),
        .init("tail lost", "The history ends in good order, and something proves that it went on."),
        .init("unreadable", "The device reported an error. That is no damage: reading again may work."),
        .init("too new", "A version or a feature that this pj does not know. That is no damage either."),
      ]),
      """
      verify reads every byte and says what is what. log shows everything that verifies, also behind damage, with a line \
      where something is missing; behind it events can be told and no state is known. state and diff stop before it. Events \
      that their writer gave up, or may have given up, are not shown: where the segment is missing that would say so, the \
      finding names them.
      """,
      "Nothing is ever repaired in place: keep the journal as it is, and work on a copy.",
    ])
}
