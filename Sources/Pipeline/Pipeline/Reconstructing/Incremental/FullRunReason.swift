/// The reason why a run decides all chains, not only the chains with changed input.
enum FullRunReason: String, Error, Sendable {
  /// The stored rows of the last publication are missing or out of date.
  ///
  /// Rows are out of date if other settings or another version wrote them.
  case unknownPublication =
    "there are no usable rows of the last publication (first run, full refresh, as-of time, other settings or version)"
  /// A file is no longer used, or was read again under another field mapping.
  case otherFiles = "a file was removed or read again"
  /// More than a third of the chains changed, so that a full run is cheaper.
  case manyChanges = "more than a third of the subscriptions changed"
  /// The last publication had no reports from Apple; new reports may change any amount.
  case appleReports = "the last published facts were made without Apple's reports"
  /// A changed chain or report has a transaction id that several chains claim.
  case contestedID = "several chains have the same transaction id"
  case placeholderIDs = "a customer id became a placeholder, or stopped being one"
  case products = "the period, kind or group of a product changed"
  case storefronts = "the currency or price list of a storefront changed"
  case otherRows = "the published rows differ from the last publication"
}
