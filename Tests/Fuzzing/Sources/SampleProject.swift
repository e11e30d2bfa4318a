/// The project of an app with an extension, as Xcode writes it.
package enum SampleProject {
  /// The text of `project.pbxproj`.
  ///
  /// - Parameters:
  ///   - app: Further build settings of the app.
  ///   - share: Those of the extension.
  package static func text(app: String = "", share: String = "") -> String {
    """
    // !$*UTF8*$!
    {
    \tarchiveVersion = 1;
    \tclasses = {
    \t};
    \tobjectVersion = 56;
    \tobjects = {

    /* Begin PBXFileReference section */
    \t\t8A0000000000000000000001 /* Info.plist */ = {isa = PBXFileReference; lastKnownFileType = text.plist.xml; path = Info.plist; sourceTree = "<group>"; };
    /* End PBXFileReference section */

    /* Begin PBXNativeTarget section */
    \t\t8A0000000000000000000010 /* Notes */ = {
    \t\t\tisa = PBXNativeTarget;
    \t\t\tbuildConfigurationList = 8A0000000000000000000020 /* Build configuration list for PBXNativeTarget "Notes" */;
    \t\t\tbuildPhases = (
    \t\t\t);
    \t\t\tdependencies = (
    \t\t\t\t8A0000000000000000000012 /* PBXTargetDependency */,
    \t\t\t);
    \t\t\tname = Notes;
    \t\t\tproductName = Notes;
    \t\t\tproductType = "com.apple.product-type.application";
    \t\t};
    \t\t8A0000000000000000000011 /* Share */ = {
    \t\t\tisa = PBXNativeTarget;
    \t\t\tbuildConfigurationList = 8A0000000000000000000021;
    \t\t\tname = Share;
    \t\t\tproductType = "com.apple.product-type.app-extension";
    \t\t};
    \t\t8A0000000000000000000013 /* NotesTests */ = {
    \t\t\tisa = PBXNativeTarget;
    \t\t\tname = NotesTests;
    \t\t\tproductType = "com.apple.product-type.bundle.unit-test";
    \t\t};
    /* End PBXNativeTarget section */

    \t\t8A0000000000000000000012 /* PBXTargetDependency */ = {
    \t\t\tisa = PBXTargetDependency;
    \t\t\ttarget = 8A0000000000000000000011 /* Share */;
    \t\t};
    \t\t8A0000000000000000000002 /* Project object */ = {
    \t\t\tisa = PBXProject;
    \t\t\tattributes = {
    \t\t\t\tBuildIndependentTargetsInParallel = 1;
    \t\t\t\tLastUpgradeCheck = 1540;
    \t\t\t};
    \t\t\tbuildConfigurationList = 8A0000000000000000000022;
    \t\t\tknownRegions = (en, Base);
    \t\t\ttargets = (
    \t\t\t\t8A0000000000000000000010 /* Notes */,
    \t\t\t\t8A0000000000000000000011 /* Share */,
    \t\t\t\t8A0000000000000000000013 /* NotesTests */,
    \t\t\t);
    \t\t};

    /* Begin XCBuildConfiguration section */
    \t\t8A0000000000000000000030 /* Debug */ = {isa = XCBuildConfiguration; buildSettings = {INFOPLIST_FILE = Debug.plist; }; name = Debug; };
    \t\t8A0000000000000000000031 /* Release */ = {
    \t\t\tisa = XCBuildConfiguration;
    \t\t\tbuildSettings = {
    \t\t\t\tCODE_SIGN_ENTITLEMENTS = Notes/Notes.entitlements;
    \t\t\t\tINFOPLIST_FILE = "$(SRCROOT)/Notes/Info.plist";
    \t\t\t\tINFOPLIST_KEY_NSFaceIDUsageDescription = "To open \\"Notes\\"";
    \t\t\t\tGENERATE_INFOPLIST_FILE = YES;
    \t\t\t\tLD_RUNPATH_SEARCH_PATHS = (
    \t\t\t\t\t"$(inherited)",
    \t\t\t\t\t"@executable_path/Frameworks",
    \t\t\t\t);
    \t\t\t\tPRODUCT_BUNDLE_IDENTIFIER = "$(PREFIX).notes";
    \(app)
    \t\t\t};
    \t\t\tname = Release;
    \t\t};
    \t\t8A0000000000000000000032 /* Release */ = {
    \t\t\tisa = XCBuildConfiguration;
    \t\t\tbuildSettings = {
    \t\t\t\tCODE_SIGN_ENTITLEMENTS = "$(TARGET_NAME)/$(TARGET_NAME).entitlements";
    \t\t\t\tINFOPLIST_FILE = Share/Info.plist;
    \t\t\t\tPRODUCT_BUNDLE_IDENTIFIER = "$(PREFIX).notes.share";
    \(share)
    \t\t\t};
    \t\t\tname = Release;
    \t\t};
    \t\t8A0000000000000000000033 /* Release */ = {
    \t\t\tisa = XCBuildConfiguration;
    \t\t\tbuildSettings = {
    \t\t\t\tIPHONEOS_DEPLOYMENT_TARGET = 16.0;
    \t\t\t\tPREFIX = com.contoso;
    \t\t\t\tSDKROOT = iphoneos;
    \t\t\t};
    \t\t\tname = Release;
    \t\t};
    /* End XCBuildConfiguration section */

    \t\t8A0000000000000000000020 = {isa = XCConfigurationList; buildConfigurations = (8A0000000000000000000030, 8A0000000000000000000031); defaultConfigurationName = Release; };
    \t\t8A0000000000000000000021 = {isa = XCConfigurationList; buildConfigurations = (8A0000000000000000000032); };
    \t\t8A0000000000000000000022 = {isa = XCConfigurationList; buildConfigurations = (8A0000000000000000000033); };
    \t};
    \trootObject = 8A0000000000000000000002 /* Project object */;
    }

    """
  }
}
