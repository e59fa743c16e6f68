/// A reason to decide everything and not only what has news.
enum FullReason: String, Error, Sendable {
  /// There is no index of the newest publication under these settings and versions.
  case unknownPublication = "nothing is known of the last publication"
  /// A file counts no longer, or another reading of it does.
  case otherFiles = "a file was taken out or read anew"
  /// A file was read before this program noted what files speak of.
  case unknownKeys = "a file was read by an older version"
  /// To look at everything is cheaper.
  case muchNews = "much has news"
  /// Apple's reports are read: a row more in one of their cells may undo what they proved of others.
  case appleReports = "Apple's reports prove amounts"
  /// An id that several chains claim has news.
  case contestedID = "several chains claim one transaction id"
  /// A customer id became nobody's, or somebody's again.
  case nobodies = "a customer id became nobody's"
  /// A product's period, kind or group is another one.
  case products = "a product has another period, kind or group"
  /// A storefront has another currency or a price list of its own.
  case storefronts = "a storefront has another currency or price list"
  /// The published rows are not those that the index speaks of.
  case otherRows = "published rows are not those of the last publication"
}
