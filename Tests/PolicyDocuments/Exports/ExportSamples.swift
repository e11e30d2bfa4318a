import AppProtection
import JSON
import PolicyDocuments

/// One policy in the shape of every exporting program.
enum ExportSamples {
  /// The group that the policy is assigned to.
  static let group = "99999999-0000-0000-0000-000000000001"

  private static let target = """
    {"@odata.type": "#microsoft.graph.groupAssignmentTarget", "groupId": "\(group)"}
    """

  /// The settings, as Graph writes them.
  private static let members = """
    "displayName": "Fahrdienst für Ämter", "description": "Erste Zeile\\nzweite: Zeile #2", "pinRequired": true,
    "minimumPinLength": 6, "periodOfflineBeforeAccessCheck": "PT12H", "minimumRequiredOsVersion": "17.0",
    "allowedOutboundDataTransferDestinations": "managedApps", "allowedDataStorageLocations": ["oneDriveForBusiness", "sharePoint"],
    "appGroupType": "selectedPublicApps"
    """

  private static let apps = """
    "apps": [{"mobileAppIdentifier": {"@odata.type": "#microsoft.graph.iosMobileAppIdentifier", "bundleId": "org.example.route"}}]
    """

  private static let assignments = "\"assignments\": [{\"target\": \(target)}]"

  /// The document of Graph by itself.
  static let graph = """
    {"@odata.type": "#microsoft.graph.iosManagedAppProtection", \(members), \(apps), \(assignments)}
    """

  static let list = """
    {"@odata.context": "https://graph.microsoft.com/beta/$metadata#deviceAppManagement/iosManagedAppProtections",
     "@odata.nextLink": "https://graph.microsoft.com/beta/next", "value": [{\(members), \(apps), \(assignments)}]}
    """

  /// IntuneManagement: with all annotations, in UTF-16 with CR LF.
  static let intuneManagement = utf16(
    """
    {"@odata.context": "https://graph.microsoft.com/beta/$metadata#deviceAppManagement/iosManagedAppProtections(assignments(),apps())/$entity",
    "@odata.type": "#microsoft.graph.iosManagedAppProtection", "#CustomRefTargetedApps": "Route|!|1|!|#microsoft.graph.iosStoreApp",
    "assignments@odata.associationLink": "x", "#microsoft.graph.assign": {"target": "x"},
    \(members), \(apps), \(assignments)}
    """)

  static let yaml = """
    '@odata.type': '#microsoft.graph.iosManagedAppProtection'
    displayName: Fahrdienst für Ämter
    # A line for people.
    description: "Erste Zeile\\nzweite: Zeile \\
      #2"
    pinRequired: true
    minimumPinLength: 6
    periodOfflineBeforeAccessCheck: PT12H
    minimumRequiredOsVersion: '17.0'
    allowedOutboundDataTransferDestinations:
      managedApps
    allowedDataStorageLocations:
    - oneDriveForBusiness
    - sharePoint
    appGroupType: selectedPublicApps
    apps:
    - mobileAppIdentifier:
        '@odata.type': '#microsoft.graph.iosMobileAppIdentifier'
        bundleId: org.example.route
    assignments:
      - target:
          '@odata.type': '#microsoft.graph.groupAssignmentTarget'
          groupId: \(group)

    """

  static let desiredState = """
    # Exported
    param ([parameter()] [System.Management.Automation.PSCredential] $Credential)
    Configuration M365TenantConfig
    {
        param ([parameter()] [System.Management.Automation.PSCredential] $Credential)
        if ($null -eq $Credential) { <# asked } for #> $CredsCredential = Get-Credential -Message "Credentials }" }
        $OrganizationName = $CredsCredential.UserName.Split('@')[1]
        Import-DscResource -ModuleName 'Microsoft365DSC' -ModuleVersion '1.25.305.1'
        Node localhost
        {
            AADConditionalAccessPolicy "Other" { DisplayName = "x"; Users = @($OrganizationName) }
            IntuneAppProtectionPolicyiOS "IntuneAppProtectionPolicyiOS-Fahrdienst"
            {
                AllowedDataStorageLocations = @("oneDriveForBusiness","sharePoint");
                AllowedOutboundDataTransferDestinations = "managedApps";
                AppGroupType = 'selectedPublicApps';
                ApplicationId = $ConfigurationData.NonNodeData.ApplicationId;
                ApplicationSecret = "hunter2";
                Apps = @("org.example.route");
                Assignments = @(
                    MSFT_DeviceManagementConfigurationPolicyAssignments{
                        dataType = '#microsoft.graph.groupAssignmentTarget'
                        groupId = '\(group)'
                    }
                );
                Description = "Erste Zeile`nzweite: Zeile #2";
                DisplayName = "Fahrdienst für Ämter"; Ensure = "Present"
                MinimumPinLength = 6;
                MinimumRequiredOSVersion = "17.0";
                PeriodOfflineBeforeAccessCheck = "PT12H"
                PinRequired = $True;
            }
        }
    }
    M365TenantConfig -ConfigurationData .\\ConfigurationData.psd1
    """

  static let blueprint = """
    [{"ResourceName": "IntuneAppProtectionPolicyiOS", "ResourceInstanceName": "Fahrdienst", "TenantId": "contoso.example",
      "AllowedDataStorageLocations": ["oneDriveForBusiness", "sharePoint"],
      "AllowedOutboundDataTransferDestinations": "managedApps", "AppGroupType": "selectedPublicApps",
      "Apps": ["org.example.route"], "Description": "Erste Zeile\\nzweite: Zeile #2", "Ensure": "Present",
      "Assignments": [{"CIMInstance": "MSFT_DeviceManagementConfigurationPolicyAssignments",
        "dataType": "#microsoft.graph.groupAssignmentTarget", "groupId": "\(group)"}],
      "DisplayName": "Fahrdienst für Ämter", "MinimumPinLength": 6, "MinimumRequiredOSVersion": "17.0",
      "PeriodOfflineBeforeAccessCheck": "PT12H", "PinRequired": true}]
    """

  /// IntuneBackupAndRestore: the policy, and its assignments in a file of their own.
  static let backup = """
    {"@odata.type": "#microsoft.graph.iosManagedAppProtection", "id": "T_1", \(members), \(apps)}
    """

  static let backupAssignments = """
    {"@odata.context": "https://graph.microsoft.com/beta/$metadata#deviceAppManagement/iosManagedAppProtections('T_1')/assignments",
     "value": [{"target": \(target)}]}
    """

  static let template = JSONValue.object([
    .init("PartitionKey", "AppProtectionTemplate"), .init("RowKey", "1"),
    .init(
      "JSON",
      .string(
        JSONValue.object([
          .init("Displayname", "Fahrdienst"), .init("RAWJson", .string(graph)), .init("Type", "AppProtection"),
        ])
        .description)),
  ]).description

  static func utf16(_ text: String) -> [UInt8] {
    ([0xFEFF] + Array(text.replacing("\n", with: "\r\n").utf16)).flatMap {
      [UInt8(truncatingIfNeeded: $0), UInt8(truncatingIfNeeded: $0 >> 8)]
    }
  }

  /// Every shape that is one file, with a name that a tool gives it.
  static let all: [(name: String, bytes: [UInt8], shape: String)] = [
    ("policy.json", Array(graph.utf8), "Graph document"), ("list.json", Array(list.utf8), "Graph list"),
    ("AppProtection/Fahrdienst.json", intuneManagement, "IntuneManagement"),
    ("App Protection/Fahrdienst_iosManagedAppProtection.yaml", Array(yaml.utf8), "IntuneCD"),
    ("App Protection/Fahrdienst_iosManagedAppProtection.yaml", utf16(yaml), "IntuneCD"),
    ("App Protection/Fahrdienst_iosManagedAppProtection.json", Array(graph.utf8), "IntuneCD"),
    ("M365TenantConfig.ps1", Array(desiredState.utf8), "Microsoft365DSC"),
    ("M365TenantConfig.ps1", utf16(desiredState), "Microsoft365DSC"),
    ("report.json", Array(blueprint.utf8), "Microsoft365DSC"), ("template.json", Array(template.utf8), "CIPP"),
    (
      "batch.json", Array("{\"responses\": [{\"id\": \"1\", \"status\": 200, \"body\": \(graph)}]}".utf8), "Graph batch"
    ),
  ]

  /// The settings of a policy, without annotations and the id.
  static func settings(_ policy: PolicyDocument) -> [String: PolicyValue] {
    PolicyProperty.all.reduce(into: [:]) { table, property in
      guard property.name != "id", case .value(let value) = policy[property] else { return }
      table[property.name] = value
    }
  }
}
