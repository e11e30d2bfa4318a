/// How two accounts are recognised as being of one organization.
public enum OrganizationRule: Int, WireEnumeration {
  /// By the domain of their user principal names, ignoring case.
  case domain = 0
  /// Not at all: no two accounts are of one organization.
  case never = 1
}
