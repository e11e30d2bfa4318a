import CommandLineInterface
import CommandSupport

/// The texts that `help TOPIC` shows in every tool.
package enum CommonTopics {
  package static let commands = HelpTopic(
    "commands", "what the commands have in common",
    [
      """
      Results go to standard output, everything else to standard error. Commands that read never write. Commands that \
      write create a new folder and refuse to overwrite one; only check --rebuild replaces a file, the journal's keyframes, \
      and only retire --yes removes events.
      """,
      """
      Text is for people and may change. -j writes JSON Lines for programs: the first record names the schema and its \
      version, the last one is {"kind":"end","complete":true,…}; without it, the output is incomplete. Later versions only \
      add records and members. Times are RFC 3339 in UTC, durations ISO 8601, bytes hexadecimal digits.
      """,
      """
      A journal is a folder; without a name, pj takes the current directory. It reads without a lock, even while an app \
      writes.
      """,
      """
      On a terminal, a log has one line per event, cut with … if the terminal is narrow; all other text wraps under its \
      column. Output longer than the screen goes through $PAGER, by default less; an empty PAGER, cat or --no-pager turns \
      that off. Commands that take longer than a second show their progress on standard error. In a pipe or a file, lines \
      are never cut.
      """,
      """
      File names may contain any bytes. A byte that is not UTF-8 is shown as \\xE9; in a next command it stands within \
      $'…', which bash, zsh and ksh read; in JSON it is a character from U+10FF80 to U+10FFFF whose code point ends in the \
      byte: U+10FFE9.
      """,
      """
      Colors appear only on a terminal, never carry meaning alone, and are turned off by NO_COLOR, TERM=dumb or --color \
      never. Control characters in a journal are shown as escapes and never reach the terminal.
      """,
    ])

  package static let exports = HelpTopic(
    "exports", "files in place of a journal's folder",
    [
      """
      Every command that reads a journal also opens a file that pj export wrote, without unpacking it, and - for one \
      on standard input: pj log field.pjx, pj state - < field.pjx, pj log <(ssh host cat field.pjx). Only what follows \
      or changes a journal needs a folder: pj import writes one.
      """,
      """
      A journal's folder in a zip or tar file, also compressed with gzip, xz or zstd, opens the same way. If the archive \
      holds several, name the one that is meant: pj log field.zip/FOLDER. The files are read in memory; links, names that \
      lead out of the archive and second entries of one name are ignored, and pj names them.
      """,
      """
      A file that is damaged or cut opens up to that place: pj says what is missing, and exits with 3; pj \
      import writes a journal of what is left. A file of a \
      later version that this pj must not read is refused with 5.
      """,
      """
      An export is read into memory, which takes some three times the size of its events. pj refuses files of more \
      than 256 MiB, files that decompress to more than 200 times their size or to more than 512 MiB of events, and \
      more than 16,777,216 events. pj export writes no such file. The same holds for archives, which may always unpack \
      to 128 MiB, and of which at most 10,000 entries are looked at.
      """,
      """
      Without --reveal, pj export writes pseudonyms in place of what the catalogue marks as personal and of texts with \
      an address. Equal values have equal pseudonyms within an export, and in several that were written with the same \
      --key. Secrets, and what no catalogue describes, do not leave, nor do the digests of states: names could be \
      tried against them. pj export --preview lists every field.
      """,
      """
      With --reveal, pj export writes events as they are, to the last byte. Where some hold secrets, it refuses and says in \
      how many, unless --secrets is given as well: every reader of such a file can read them.
      """,
    ])

  package static let positions = HelpTopic(
    "positions", "how to name a place in a history",
    [
      .definitions([
        .init("42", "The event with this number, or the state after it."),
        .init("start, end", "Before the first event, or the first state that is kept; after the last event."),
        .init("end~3", "Three events before the last one."),
        .init(
          "2026-10-05T10:00Z",
          """
          A time, complete or shortened: 2026-10, 2026-10-05; seconds, a fraction and an offset may follow. Without an \
          offset it is UTC. A shortened time is a period: a range begins at its beginning; everywhere else its end counts. \
          As a state, a time means the one after the last event at or before it.
          """),
        .init("10:30", "A time of day on the day of the last event, in UTC."),
        .init("today, yesterday", "The day of the last event, in UTC, and the day before it, each a period as above."),
        .init("-2h", "This long before the last event, in s, m, h, d or w."),
        .init("wipe.requested", "The last event of this type."),
        .init("wipe.requested#2", "The second event of this type."),
        .init("A..B", "A range including both ends; A.. runs to the end, ..B from the start."),
        .init("JOURNAL@POS", "A position in this journal, for commands that take two journals."),
      ]),
      """
      A position outside the history is an error that names the nearest one; pj does not guess. Events are ordered as in \
      the journal. Where the device's clock ran backwards, a time can match two places: pj takes the later one and says \
      so.
      """,
      """
      A lost event may have had any time and type. Numbers keep their meaning where events are lost; any other position \
      that has become uncertain ends in 3, with a line that names the lost events. A time is certain if the event after \
      the one found is present; end~3 and -2h are certain if the end is; a last event of a type is certain if no event is \
      lost after it, a second one if none is lost before it. A range between times includes the lost events beside it.
      """,
    ])

  package static let exitCodes = HelpTopic(
    "exit-codes", "what the exit codes mean",
    [
      .exitCodes,
      "A damaged history never ends in 0. Every error is one line with the place, the reason and the next command.",
    ])

  package static let redaction = HelpTopic(
    "redaction", "what is withheld about people, and how to see it",
    [
      """
      Events refer to accounts by number, and pj shows account 1 as a1. The number stays the same throughout a journal and \
      means nothing in any other.
      """,
      """
      What identifies a person (object ids, user principal names) is withheld: it shows as (withheld), and in JSON as \
      {"redacted":"account"}. --reveal shows it, in every command. Always shown, because they name no person, are links, \
      names of apps, yes and no, numbers of up to three digits, placeholders such as {{mail}} and, in a policy, what Microsoft \
      Graph documents as a flag, number, choice or version. Groups that a policy is assigned to are counted, in JSON under summary.
      """,
      """
      Free text, such as a policy's name or description, is shown unless it contains an @, as an email address does; then \
      the whole text is withheld. The @ of an OData annotation, as in @odata.type, does not count.
      """,
      """
      A link is withheld as well if it names a tenant, as https://login.microsoftonline.com/contoso.com does. Of links and \
      query strings, passwords and the values of parameters named like secrets (code, token, sig, key, assertion) show as \
      (secret), with or without --reveal.
      """,
      """
      Keys, tokens and PINs show as (secret) and {"redacted":"secret"}, with or without --reveal, and so do fields that this \
      program does not know. A value of an app configuration, and any member of a policy that this program does not know, is a \
      secret by its name: if it has password, secret, token, credential, passcode or a key for access, encryption, signing or \
      licenses in it, or PIN, pass, PSK or OTP as a word. JSON in a value is searched for such names; true, false and nothing \
      are no secrets. Keys that Microsoft documents are judged by what they are, but not in journals.
      """,
      """
      What the journal holds encrypted shows as ‹sealed› and {"redacted":"sealed"}, with or without --reveal: only the app has \
      the keys. A program with keys shows ‹erased› where the key was destroyed.
      """,
      """
      Messages about scenarios and policy documents withhold every piece of text with an @, a GUID or the link of a tenant in \
      it, and the expected and the found value where the state holds something personal; line and column give the place. --reveal \
      shows them.
      """,
      """
      The path of a journal is shown as it was typed. Files that are written hold no name of it with an @, and pj fleet and \
      pj tables withhold such names. Those of folders in an archive, which were not typed, are withheld in every message.
      """,
      "--account finds an account by its object id or name without showing either. -g searches only the shown text.",
    ])

  package static let damage = HelpTopic(
    "damage", "what the findings about a journal's bytes mean",
    [
      .definitions([
        .init(
          "torn tail",
          "An unfinished write at the end. It was never acknowledged, and is normal after a crash or a power cut."
        ),
        .init(
          "gap",
          "Bytes that do not verify precede others that do, without proof that they were ever durable. Whether anything was lost cannot be decided."
        ),
        .init(
          "damaged",
          "Bytes do not verify, and something proves that they were durable; or an auxiliary file does not verify, which loses no event."
        ),
        .init(
          "lost",
          "Events were lost before the journal was salvaged: their places are marked, or the journal begins after them, or the salvage could not tell whether later ones existed. The bytes are sound, so this is not damage, but whatever depends on those events is unknown."
        ),
        .init("tail lost", "The history ends in good order, but something proves that it continued."),
        .init("unreadable", "The device reported an error. This is not damage: reading again may work."),
        .init("too new", "A version or feature that this pj does not know. This is not damage either."),
      ]),
      """
      verify reads every byte and classifies it. log shows everything that verifies, even after damage, with a line where \
      something is missing; after that line the events are known but the state is not. state and diff stop before it. \
      Events that their writer gave up, or may have given up, are not shown; if the segment that would decide it is missing, \
      the finding names them.
      """,
      """
      Of a journal of 4 MiB or more, show, state, diff, policy, compare, explain, blame, bisect, log with a range or -n, \
      and stats with a range read only what the answer needs. They check what describes the journal, its headers, footers and HEAD, and name the events that were \
      not read as not verified: damage among those is unknown. Where they find any, they read everything; --verify does \
      so at once.
      """,
      "pj never repairs in place: keep the journal as it is, and work on a copy.",
    ])

  /// The options that select events.
  private static func options(in domain: AnyDomain) -> [HelpBlock.Definition] {
    let samples = domain.samples
    var options: [HelpBlock.Definition] = [
      .init("--type GLOB", "The event's type; * and ? are wildcards: policy.*"),
      .init("--not-type GLOB", "Exclude this type."),
    ]
    if domain.hasAccounts {
      options.append(
        .init(
          "--account A",
          "An account that the event concerns: its pseudonym (a1), object id or user principal name, in upper or lower case."
        ))
    }
    options += [
      .init(
        "--path PATH",
        "The event changed this part of the state, or something below it: /policies/a1. Its line shows that change."
      ),
      .init(
        "--findings",
        "The event points to a mistake in the app\(samples.mistake.map { ", such as \($0)" } ?? "")."),
      .init(
        "--caused-by POS",
        "The event followed from that one, directly or through others\(samples.consequence.map { ", \($0)" } ?? "")."
      ),
      .init("-g REGEX", "The expression matches the shown text of the event; withheld values never match."),
      .init("-w CONDITION", "The condition holds for the event."),
    ]
    return options
  }

  package static func filters(in domain: AnyDomain) -> HelpTopic {
    let samples = domain.samples
    return HelpTopic(
      "filters", "how to select events",
      [
        """
        An event must pass every filter; of several values of one filter, any one is enough. -n counts the events that pass. \
        If none does, pj names the filter that excluded every event, and what is near.
        """,
        .definitions(options(in: domain)),
        "A condition compares fields with = and !=, and joins comparisons with and, or, not and parentheses:",
        .preformatted([
          "  pj log field.pj -w 'type = \"wipe.*\" and not \(domain.hasAccounts ? "account = \"a2\"" : "seq = 42")'"
        ]),
        """
        Fields are type, \(domain.hasAccounts ? "account, " : "")path, finding, seq, cause, process and text. Values are words or quoted text, with * and ? \
        as wildcards; finding compares the rule\(samples.rule.map { ", such as \($0)," } ?? "") and text matches its pattern anywhere.
        """,
        """
        REGEX is a POSIX extended regular expression, as for grep -E: . [a-z] [[:digit:]] * + ? {2,3} | ( ) ^ $. \
        Back-references are refused, so that no expression takes forever. Case matters, a dot matches one byte of UTF-8, and \
        only the first 16 KiB of each line are searched.
        """,
      ])
  }

  package static func templates(in domain: AnyDomain) -> HelpTopic {
    // Local times and launch conditions are of app protection alone.
    let isProtected = domain.additions != nil
    let fields = LogTemplate.Field.allCases.filter {
      isProtected || $0 != .conditions && (domain.hasAccounts || $0 != .account)
    }
    let local = ["  pj log field.pj --local --template '{time} {/policies/a1/version} {type}'"]
    return HelpTopic(
      "templates", "how to choose what pj log prints of each event",
      [
        """
        --template prints one line for each event, without titles, notes and totals. What stands in braces is replaced:
        """,
        .definitions(
          fields.map {
            .init("{\($0.rawValue)}", $0.meaning(domain.samples, hasLocalTimes: isProtected))
          } + [
            .init(
              "{/accounts/a1/enrollment/status}",
              "The value at this path after the event; unset for none, unknown where the state is not known. Of a part of the state, all values."
            )
          ]),
        .preformatted(
          ["  pj log field.pj --template '{seq}\\t{time}\\t{headline}'"] + (isProtected ? local : [])),
        """
        {{ and }} stand for braces, \\t for a tab and \\n for the end of a line. Control characters in values are shown as \
        escapes. What a log notes between events, such as damage, goes to standard error.
        """,
      ])
  }

  package static let ownDomain = HelpTopic(
    "own-domain", "journals of another domain, and a tool for them",
    [
      """
      A journal names the domain of its events, and describes them by the catalogue inside. Whatever the domain is, pj log, show \
      and stats list its events, verify checks its bytes, salvage copies what can be read, and bisect --run finds the \
      first event at which a command fails. What rests on states is refused: only the program of the domain has its rules.
      """,
      """
      That program can have a tool with these commands, of ten lines: an executable target that depends on the product \
      ReplayTool of the package PolicyJournal, with one file:
      """,
      .preformatted([
        "  import ReplayTool",
        "",
        "  @main struct RoomsTool {",
        "    static func main() {",
        "      ReplayTool<House>(",
        "        name: \"rooms-tool\", version: \"1.0.0\",",
        "        summary: \"looks into the rooms of a house\"",
        "      ).run()",
        "    }",
        "  }",
      ]),
      "House stands for the domain. The page A tool of your own has the whole of it.",
    ])

  /// Those of a tool that opens no archives, for its domain.
  static func all(for domain: AnyDomain) -> [HelpTopic] {
    let asking = domain.samples.question.map { [questions(of: domain, $0)] } ?? []
    return [commands, positions, filters(in: domain), templates(in: domain), paths] + asking + [
      HelpTopic(redaction.name, redaction.summary, withheld(in: domain)), without([1, 3], exports), exitCodes,
      without([2], damage),
      ownDomain,
    ]
  }

  /// What is said of redaction in a domain of which no more is known.
  private static func withheld(in domain: AnyDomain) -> [HelpBlock] {
    let body = redaction.body()
    var paragraphs: [HelpBlock] = domain.hasAccounts ? [body[0]] : []
    paragraphs += [
      """
      What identifies a person, as the fields of events and states say, is withheld: it shows as (withheld), and in JSON as \
      {"redacted":"account"}. --reveal shows it, in every command. Always shown, because they name no person, are yes and no, \
      numbers of up to three digits and placeholders such as {{mail}}.
      """,
      """
      A name in a path that is the key of a row is shown to those who may see the field that the key comes from. \
      Other names are withheld if they have an @ or a GUID in them.
      """,
      """
      Free text is shown unless it contains an @, as an email address does, or the link of a sign-in service that names an \
      organisation; then the whole text is withheld. Of links and query strings, passwords and the values of parameters named \
      like secrets (code, token, sig, key, assertion) show as (secret), with or without --reveal.
      """,
      """
      Fields that hold secrets show as (secret) and {"redacted":"secret"}, with or without --reveal, and so do fields that this \
      program does not know.
      """, body[5],
      .paragraph(
        "The path of a journal is shown as it was typed. Files that are written hold no name of it with an @, and "
          + (domain.diagnostics == nil ? "pj tables withholds" : "pj fleet and pj tables withhold") + " such names."),
      domain.hasAccounts ? body[body.count - 1] : "-g searches only the shown text.",
    ]
    return paragraphs
  }

  /// The questions of a domain, each with its meaning and its answers.
  package static func forms(of domain: AnyDomain) -> HelpBlock {
    .definitions(domain.questions.map { .init($0.usage, $0.meaning) })
  }

  private static func questions(of domain: AnyDomain, _ sample: String) -> HelpTopic {
    HelpTopic(
      "questions", "how to ask what the rules decide",
      [
        .paragraph(
          """
          A question is a name with values in parentheses: \(sample). Values that are in brackets below may be left out, and \
          each can be given by its name and a colon.
          """), forms(of: domain),
        .paragraph(
          "pj explain answers them, and pj bisect tests them with --where"
            + (domain.imagination == nil ? "." : "; pj whatif --ask compares answers.")),
      ])
  }

  /// What paths are, for a domain of which no more is known.
  private static let paths = HelpTopic(
    "paths", "how to name a part of the state",
    [
      """
      A path leads to a value of the state or a part of it, which pj fields lists. In a pattern, * stands for any text, also \
      across slashes, and ? for one character. A path includes everything below it. A pattern has at most 4096 bytes.
      """
    ])

  /// A topic without some of its paragraphs.
  private static func without(_ places: Set<Int>, _ topic: HelpTopic) -> HelpTopic {
    HelpTopic(
      topic.name, topic.summary, topic.body().enumerated().filter { !places.contains($0.offset) }.map(\.element))
  }
}
