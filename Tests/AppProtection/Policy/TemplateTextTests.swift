import Expectations
import Testing

@testable import AppProtection

@Suite("Texts of templates")
struct TemplateTextTests {
  @Test(
    "What a template or a guide leaves to be replaced is known, and what an organization writes is not taken for it")
  func texts() {
    for text in [
      "YOUR_TENANT_ID", "your-client-id", "https://login.microsoftonline.com/YOUR_TENANT_ID", "<tenant id>",
      "<your app>",
      "[Your Client ID]", "replace_with_group", "REPLACE:x", "replace-me", "ChangeMe",
      "INSERT_TENANT_ID", "APP-ID-1", "TODO: name", "$name", "${name}", "$(name)", "https://your-domain.example/*",
    ] {
      #expect(TemplateText.mustBeReplaced(text), "\(text)")
    }
    for text in [
      "Contoso", "Your data is protected", "Enter your PIN", "todoist", "Replacement for $5", "a < b",
      "com.yourcompany.app",
      "group.com.contoso", "[iOS] Level 2", "yours", "https://login.microsoftonline.com/contoso.example", "", "<br>",
    ] {
      #expect(!TemplateText.mustBeReplaced(text), "\(text)")
    }
  }
}
