Configuration M365TenantConfig
{
    Node localhost
    {
        IntuneAppProtectionPolicyAndroid "Scanners"
        {
            DisplayName = "Scanners";
            Apps = @("com.contoso.scan");
            Credential = $Credscredential;
            PinRequired = $True;
        }
    }
}
