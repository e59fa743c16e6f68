internal import CivilTime
internal import PriceLearning
internal import PurchaseModel

/// A price report in an export.
struct ReportRow: CodedRow {
  static let tag = "report"
  var evidenceID: Int64 = 0
  var file: [UInt8] = []
  /// The transaction id in the report, for an engine that leaves out claims to other ids.
  var transactionID: [UInt8]?
  var payload: [UInt8] = []

  mutating func coded<Coder: RowCoder>(by coder: inout Coder) throws(Coder.Failure) {
    try coder.code("evidence_id", key: &evidenceID)
    try coder.code("file", bytes: &file)
    try coder.code("transaction_id", bytes: &transactionID)
    try coder.code("payload", packed: &payload)
  }
}

/// The relation between a price report and the household in whose rows the report is.
enum ReportRole: String {
  /// The report belongs to the household.
  case own
  /// The report belongs to another household, but has a transaction id of this household's
  /// purchase.
  case names
  /// The report has neither a known customer nor the transaction id of a known purchase.
  case unassigned
}

/// A price report in the rows of a household.
struct HouseholdReportRow: CodedRow {
  static let tag = "report"
  var evidenceID: Int64 = 0
  var file: [UInt8] = []
  var role = ReportRole.own
  /// The purchase whose transaction id is in the report, and its time; `nil` without one.
  var purchase: Int64?
  var purchasedAt: Instant?
  var isExcluded = false
  /// The kind of the transaction id, if no purchase has the id.
  var unknownTransaction: UInt8?
  /// The app of the purchase; `nil` if unknown.
  var app: [UInt8]?
  var payload: [UInt8] = []

  mutating func coded<Coder: RowCoder>(by coder: inout Coder) throws(Coder.Failure) {
    try coder.code("evidence_id", key: &evidenceID)
    try coder.code("file", bytes: &file)
    try coder.code("role", word: &role)
    try coder.code("purchase", &purchase)
    try coder.code("purchased_at", &purchasedAt)
    try coder.code("is_excluded", &isExcluded)
    try coder.code("unknown_transaction", number: &unknownTransaction)
    try coder.code("app", bytes: &app)
    try coder.code("payload", packed: &payload)
  }
}

/// The verdict on a price report.
struct VerdictRow: CodedRow {
  static let tag = "verdict"
  var evidenceID: Int64 = 0
  var verdict = ReportVerdict(place: nil)

  mutating func coded<Coder: RowCoder>(by coder: inout Coder) throws(Coder.Failure) {
    var outvoting = verdict.outvoting
    var (price, inForce, same) = (outvoting?.priceInForce, outvoting?.inForce, outvoting?.same)
    try coder.code("evidence_id", key: &evidenceID)
    try coder.code("verdict", word: &verdict.verdict)
    try coder.code("reference_milli", &verdict.reference)
    try coder.code("storefront", &verdict.place)
    try coder.code("is_confirmed", &verdict.isConfirmed)
    try coder.code("is_outnumbered", &verdict.isOutnumbered)
    try coder.code("price_in_force_milli", &price)
    try coder.code("voters_in_force", number: &inForce)
    try coder.code("voters", number: &same)
    try coder.code("distrusted_for", &verdict.distrustedFor)
    try coder.code("instalments", &verdict.instalment)
    outvoting = nil
    if let price, let inForce, let same {
      outvoting = ReportVerdict.Outvoting(by: inForce, for: price, against: same)
    }
    verdict.outvoting = outvoting
  }
}
