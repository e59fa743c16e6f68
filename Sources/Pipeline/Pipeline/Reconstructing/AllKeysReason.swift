/// The reason why all chains and reports count as changed, so that a run decides all of them.
package enum AllKeysReason: String, Error, Sendable {
  /// The stored rows of the last publication are missing or out of date.
  ///
  /// Rows are out of date if other settings or another version wrote them.
  case unknownPublication =
    "there are no usable rows of the last publication (first run, full refresh, as-of time, other settings or version)"
  /// A file is no longer used, or was read again under another field mapping.
  case otherFiles = "a file was removed or read again"
  /// The last publication had no reports from Apple; new reports may change any amount.
  case appleReports = "the last published facts were made without Apple's reports"
  /// Ends that nobody has seen are judged by the time that the exports cover.
  case completeness = "the exports are complete through an earlier day than before, or no longer"
  case placeholderIDs = "a customer id became a placeholder, or stopped being one"
  case passedOn = "a receipt was passed on to more customer ids than one customer has"
  case apps = "another app sells a product id, or no longer sells it"
  case storefronts = "the currency or price list of a storefront changed"
  case otherRows = "the published rows differ from the last publication"
}
