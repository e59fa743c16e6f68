/// A fault or an oddity of the reports in `apple/`, as real vendors have them.
///
/// The purchases of the store do not change.
public enum AppleReportFault: String, CaseIterable, Sendable {
  /// The vendor sells another app, whose products are in no receipt.
  case otherApps = "other-apps"
  /// The folder has reports of another vendor for one day in ten.
  case otherVendor = "other-vendor"
  /// On one day in twenty the folder also has other tables, such as pre-orders, and a note.
  case otherFiles = "other-files"
  /// All reports of one day in twenty are missing.
  case missingDays = "missing-days"
  /// The Subscriber report of one day in thirty is missing.
  case loneReports = "lone-reports"
  /// One line in a hundred is missing: subscriptions in the Subscriber report, other products in
  /// Sales.
  case deleted
  /// One line in a hundred occurs twice: subscriptions in the Subscriber report, other products in
  /// Sales.
  case doubled
  /// One price in a hundred is wrong: subscriptions in the Subscriber report, other products in
  /// Sales.
  case prices
  /// Some Subscriber reports are exchanged: the file of one day has the lines of another day.
  case swapped
  /// One line of a Subscriber report has 50,000 units.
  case monster

  /// Reads a list such as `deleted,doubled`; `nil` for an unknown name.
  ///
  /// `none` means no fault. `all` means all faults except `monster`, because the amount of its line
  /// would exceed all others.
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
