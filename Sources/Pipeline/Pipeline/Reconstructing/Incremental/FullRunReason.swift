/// A reason to decide everything instead of only the keys with news.
enum FullRunReason: String, Error, Sendable {
  /// The index of the newest publication is missing, or was made under other settings or versions.
  case unknownPublication = "the last publication is unknown"
  /// A file is no longer used, or is used in another reading.
  case otherFiles = "a file was removed or read again"
  /// To look at everything is cheaper.
  case muchNews = "more than a third of the subscriptions changed"
  /// Apple's reports are read: one more row in a cell may undo the proof of its other rows.
  case appleReports = "Apple's reports prove amounts"
  /// An id that several chains claim has news.
  case contestedID = "several chains have one transaction id"
  /// A customer id became a placeholder, or is a placeholder no longer.
  case placeholderIDs = "a customer id became a placeholder, or stopped being one"
  /// A product's period, kind or group has changed.
  case products = "a product has another period, kind or group"
  /// A storefront has another currency or a price list of its own.
  case storefronts = "a storefront has another currency or price list"
  /// The published rows are not those that were written.
  case otherRows = "the published rows differ from the last publication"
}
