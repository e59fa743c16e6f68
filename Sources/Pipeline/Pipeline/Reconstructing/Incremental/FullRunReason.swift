/// A reason to decide all keys, not only the keys with changed input.
enum FullRunReason: String, Error, Sendable {
  /// The stored rows of the last publication are missing or out of date.
  ///
  /// They were written with other settings or by another version.
  case unknownPublication = "the last publication is unknown"
  /// A file is no longer used, or was read again under another field mapping.
  case otherFiles = "a file was removed or read again"
  /// A full run is cheaper.
  case manyChanges = "more than a third of the subscriptions changed"
  /// The last publication had no reports of Apple, which may prove any amount.
  case appleReports = "Apple's reports are new"
  /// Purchases of several chains claim one id, and the input of a chain changed.
  case contestedID = "several chains have the same transaction id"
  /// A customer id became a placeholder, or is no longer a placeholder.
  case placeholderIDs = "a customer id became a placeholder, or stopped being one"
  /// A product's period, kind or group has changed.
  case products = "a product has another period, kind or group"
  /// A storefront has another currency, or its own price list.
  case storefronts = "a storefront has another currency or price list"
  /// The published rows differ from the rows that were written.
  case otherRows = "the published rows differ from the last publication"
}
