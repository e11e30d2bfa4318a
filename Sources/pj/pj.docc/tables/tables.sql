-- The tables that pj tables writes, as views of DuckDB. Run it in their folder.

-- One row for each journal that was named, or is in a named archive, also for one that cannot be read.
CREATE VIEW journals AS FROM read_json('journals/*.jsonl.gz', format = 'newline_delimited', columns = {
  'journal': 'VARCHAR',  -- the journal's path as it was named, with its folder in an archive of several; its pseudonym where it has an address in it
  'id': 'VARCHAR',  -- its identity, equal in all copies of it; null if it cannot be read
  'domain': 'VARCHAR',  -- the name of the domain of its events; null if it names none
  'events': 'BIGINT',  -- number of its rows in the table events
  'lost': 'BIGINT',  -- number of events that are known to be lost
  'firstSeq': 'BIGINT',  -- its first event
  'lastSeq': 'BIGINT',  -- its last event
  'firstTime': 'TIMESTAMP',  -- when its first event was decided, by the device's clock
  'lastTime': 'TIMESTAMP',  -- when its last event was decided
  'app': 'VARCHAR',  -- the version of the app at its end
  'engine': 'VARCHAR',  -- the version of the SDK whose rules apply at its end
  'system': 'VARCHAR',  -- the version of the operating system at its end
  'model': 'VARCHAR',  -- the device's model identifier at its end
  'redacted': 'BOOLEAN',  -- whether pseudonyms stand for what is personal
  'exit': 'BIGINT',  -- 0 if everything was read, 3 if it is incomplete or damaged, 4 if it cannot be read, 5 if it needs a newer tool
  'error': 'VARCHAR',  -- why not everything was read
});

-- One row for each event.
CREATE VIEW events AS FROM read_json('events/*.jsonl.gz', format = 'newline_delimited', columns = {
  'journal': 'VARCHAR',  -- the journal's path as it was named, with its folder in an archive of several; its pseudonym where it has an address in it
  'seq': 'BIGINT',  -- its number in its journal, from 1: the order of events
  'time': 'TIMESTAMP',  -- when it was decided, by the device's clock, which may run backwards
  'uptime': 'BIGINT',  -- nanoseconds since the device started; 0 if unknown
  'type': 'VARCHAR',  -- its type, such as policy.received
  'typeNumber': 'BIGINT',  -- the type's number
  'version': 'BIGINT',  -- the version of the type's fields
  'known': 'BOOLEAN',  -- whether its fields could be read
  'accounts': 'VARCHAR[]',  -- the accounts that it names, such as a1
  'cause': 'BIGINT',  -- the event that caused it; 0 for a command from outside
  'correlation': 'BIGINT',  -- the first event of its story; 0 if it begins one
  'process': 'BIGINT',  -- the process.started event of the process that wrote it; 0 before the first
  'app': 'VARCHAR',  -- the version of the app at that time
  'engine': 'VARCHAR',  -- the version of the SDK whose rules apply at that time
  'system': 'VARCHAR',  -- the version of the operating system at that time
  'model': 'VARCHAR',  -- the device's model identifier at that time
  'data': 'JSON',  -- its fields by name; null where nothing describes them
  'changes': 'BIGINT',  -- number of its rows in the table changes; null where the state is unknown
  'stream': 'VARCHAR',  -- the stream that the app named
  'metadata': 'STRUCT("key" VARCHAR, "value" VARCHAR)[]',  -- what the app attached to it
});

-- One row for each value of the state that an event changed.
CREATE VIEW changes AS FROM read_json('changes/*.jsonl.gz', format = 'newline_delimited', columns = {
  'journal': 'VARCHAR',  -- the journal's path as it was named, with its folder in an archive of several; its pseudonym where it has an address in it
  'seq': 'BIGINT',  -- the event
  'time': 'TIMESTAMP',  -- when the event was decided
  'type': 'VARCHAR',  -- the event's type
  'path': 'VARCHAR',  -- the place in the state, such as /accounts/a1/enrollment/status
  'before': 'JSON',  -- the value before the event; null for none
  'after': 'JSON',  -- the value after the event; null for none
});

-- One row for each problem of a history, likely mistake in an app, and place of damage.
CREATE VIEW findings AS FROM read_json('findings/*.jsonl.gz', format = 'newline_delimited', columns = {
  'journal': 'VARCHAR',  -- the journal's path as it was named, with its folder in an archive of several; its pseudonym where it has an address in it
  'number': 'BIGINT',  -- its number among those of its journal, from 1
  'kind': 'VARCHAR',  -- problem: what pj diagnose finds; mistake: what pj log --findings says of an event; damage: what pj verify finds
  'name': 'VARCHAR',  -- the problem's family, the mistake's rule, or the verdict about the bytes
  'severity': 'VARCHAR',  -- critical, warning or note; null for mistakes
  'confidence': 'VARCHAR',  -- certain, likely or possible; null for mistakes
  'subject': 'VARCHAR',  -- whom or what a problem concerns, such as a1; null for the whole history
  'seq': 'BIGINT',  -- the event that decides it; null if none does, or it is lost
  'time': 'TIMESTAMP',  -- when that event was decided
  'until': 'BIGINT',  -- the last event up to which a problem held; null if it holds at the end
  'app': 'VARCHAR',  -- the version of the app at that event
  'engine': 'VARCHAR',  -- the version of the SDK whose rules apply at that event
  'system': 'VARCHAR',  -- the version of the operating system at that event
  'model': 'VARCHAR',  -- the device's model identifier at that event
  'sentence': 'VARCHAR',  -- what is wrong
  'evidence': 'STRUCT("event" BIGINT, "text" VARCHAR)[]',  -- what proves it, the deciding event first
  'next': 'VARCHAR',  -- what to do
  'page': 'VARCHAR',  -- the page that describes it
  'explainedBy': 'BIGINT',  -- the number of the problem of the same journal that led to it
  'file': 'VARCHAR',  -- the damaged file
  'byte': 'BIGINT',  -- where the damage begins in it
});
