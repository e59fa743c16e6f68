/// A difference between the reports of a real vendor and those of a single app.
///
/// Each fault changes the files in `apple/`, but not the purchases.
public enum AppleReportFault: String, CaseIterable, Sendable {
  /// The vendor sells another app, whose products are in no receipt.
  case otherApps = "other-apps"
  /// The folder has reports of another vendor for one day in ten.
  case otherVendor = "other-vendor"
  /// The folder has tables of other kinds, and notes.
  case otherFiles = "other-files"
  /// Both reports of one day in twenty are missing.
  case missingDays = "missing-days"
  /// The Subscriber report of one day in thirty is missing.
  case loneReports = "lone-reports"
  /// One line in a hundred is deleted in the report that is compared.
  case deleted
  /// One line in a hundred occurs twice in the report that is compared.
  case doubled
  /// One price in a hundred is wrong in the report that is compared.
  case prices
  /// The files of some pairs of days have exchanged names.
  case swapped
  /// One line has 50,000 units.
  case monster

  /// Reads a list such as `deleted,doubled`; `nil` for an unknown name.
  ///
  /// `all` means all faults except `monster`: its line would be most of the money.
  public static func list(_ text: String) -> [AppleReportFault]? {
    var found: Set<AppleReportFault> = []
    for name in text.split(separator: ",", omittingEmptySubsequences: false) {
      switch name {
      case "none": continue
      case "all": found.formUnion(Set(allCases).subtracting([.monster]))
      default:
        guard let fault = AppleReportFault(rawValue: String(name)) else { return nil }
        found.insert(fault)
      }
    }
    return allCases.filter(found.contains)
  }
}
