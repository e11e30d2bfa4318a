// What an app names when it creates an engine: accounts and policies, the store, its creation, and the keys. One import is enough.
@_exported import AppProtection
@_exported import EventSourcing
@_exported import EventSourcingKit
@_exported import FileProtection
