// What a file of policies is read into. One import is enough.
@_exported import GraphDocuments
