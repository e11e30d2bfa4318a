/// How two accounts are recognised as belonging to one organization.
public enum OrganizationRule: Int, WireEnumeration {
  /// By the domain of their user principal names, ignoring case.
  case domain = 0
  /// Not at all: no two accounts belong to one organization.
  case never = 1
}
